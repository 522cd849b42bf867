import Foundation
import SiloMedia
import SiloStore
import SiloSystem
import Synchronization

/// The catalog's database: ids that stay, and what was found in files, so that it is looked for once.
///
/// Calls block: on threads of their own only.
final class CatalogStore: Sendable {
  private let connection: Mutex<Connection>

  /// How long what is known of a file that is gone is kept, in seconds: a disk may be away for a while.
  static let keptSeconds: Int64 = 90 * 86_400

  /// Opens the database at `path`, or one in memory.
  ///
  /// One that is damaged, or that another program made, is set aside: all but the ids can be found again.
  init(_ path: String?) throws {
    guard let path else {
      connection = Mutex(try Self.open(":memory:"))
      return
    }
    do {
      connection = Mutex(try Self.open(path))
    } catch let error as StoreError where error.isDamage || error.code == .foreign {
      for ending in ["", "-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: path + ".damaged" + ending)
        try? FileManager.default.moveItem(atPath: path + ending, toPath: path + ".damaged" + ending)
      }
      connection = Mutex(try Self.open(path))
    }
  }

  private static func open(_ path: String) throws -> Connection {
    let connection = try Connection.open(path)
    try connection.migrate(CatalogTables.migrations)
    return connection
  }

  /// Every file that is known, with what is known of it; those that were found by another look count as never seen.
  func media() throws -> [StoredMedia] {
    try connection.withLock { connection in
      let statement = try connection.prepare(
        "SELECT \(CatalogTables.columns), look FROM catalog_file")
      var all: [StoredMedia] = []
      while try statement.step() {
        guard var media = CatalogTables.media(in: statement) else { continue }
        // Another length is that of no file: it will be looked into again.
        if statement.integer(17) != CatalogTables.look { media.byteCount = -1 }
        all.append(media)
      }
      return all
    }
  }

  /// The ids of items by what they are told apart by.
  func items() throws -> [String: String] {
    try connection.withLock { connection in
      let statement = try connection.prepare("SELECT key, content_id FROM catalog_item")
      var items: [String: String] = [:]
      while try statement.step() {
        if let key = statement.text(0), let id = statement.text(1) { items[key] = id }
      }
      return items
    }
  }

  /// Stores what a look into files found, and returns the files with their numbers; a file that has none gets one.
  func store(_ looks: [FileLook]) throws -> [StoredMedia] {
    try connection.withLock { connection in
      try connection.transaction { connection in
        let insert = try connection.prepare(Self.insertion)
        let update = try connection.prepare(Self.change)
        var stored: [StoredMedia] = []
        for look in looks {
          var media = look.media
          if media.id > 0 {
            try update.run(Self.values(look) + [.integer(media.id)])
          } else {
            try insert.run(Self.values(look))
            media.id = connection.lastInsertedRow
          }
          stored.append(media)
        }
        return stored
      }
    }
  }

  /// Stores where files are now, by that path, that were elsewhere.
  func store(moved: [String: String]) throws {
    guard !moved.isEmpty else { return }
    try connection.withLock { connection in
      try connection.transaction { connection in
        let statement = try connection.prepare(
          "UPDATE OR REPLACE catalog_file SET path = ? WHERE path = ?")
        for (path, before) in moved.sorted(by: { $0.key < $1.key }) {
          try statement.run([.text(path), .text(before)])
        }
      }
    }
  }

  /// Stores whose the files are, which of them are gone, and the ids of new items.
  func store(owners: [StoredMedia], items: [(key: String, id: String)], now: Int64) throws {
    guard !owners.isEmpty || !items.isEmpty else { return }
    try connection.withLock { connection in
      try connection.transaction { connection in
        let owner = try connection.prepare(
          "UPDATE catalog_file SET owner = ?, gone = ? WHERE id = ?")
        for media in owners {
          try owner.run([StoreValue(media.ownerID), StoreValue(media.gone), .integer(media.id)])
        }
        let item = try connection.prepare(
          """
          INSERT INTO catalog_item (content_id, key) VALUES (?, ?)
          ON CONFLICT (content_id) DO UPDATE SET key = excluded.key
          """)
        for entry in items { try item.run([.text(entry.id), .text(entry.key)]) }
        try connection.run(
          "DELETE FROM catalog_file WHERE gone < ?", [.integer(now - Self.keptSeconds)])
      }
    }
  }

  /// Everything that was found in the files of those numbers.
  func inventories(of files: [Int64]) throws -> [Int64: MediaInventory] {
    try connection.withLock { connection in
      let statement = try connection.prepare("SELECT inventory FROM catalog_file WHERE id = ?")
      var found: [Int64: MediaInventory] = [:]
      for file in files {
        try statement.bind([.integer(file)])
        guard try statement.step(), let bytes = statement.blob(0) else { continue }
        found[file] = try? JSONDecoder().decode(MediaInventory.self, from: Data(bytes))
      }
      return found
    }
  }

  private static let names = [
    "path", "byte_count", "modified", "inode", "failure", "hash", "container", "width", "height",
    "video_codec", "audio_codec", "channels", "is_hdr", "duration", "inventory", "look", "gone",
  ]
  private static let insertion =
    "INSERT INTO catalog_file (\(names.joined(separator: ", "))) VALUES ("
    + names.map { _ in "?" }.joined(separator: ", ") + ")"
  private static let change =
    "UPDATE catalog_file SET " + names.map { "\($0) = ?" }.joined(separator: ", ")
    + " WHERE id = ?"

  private static func values(_ look: FileLook) -> [StoreValue] {
    let (media, summary) = (look.media, look.media.summary)
    return [
      .text(media.path), .integer(media.byteCount), .integer(media.modified),
      .integer(Int64(bitPattern: media.inode)), StoreValue(media.failure),
      StoreValue(media.openSubtitlesHash), StoreValue(summary.container),
      StoreValue(summary.width), StoreValue(summary.height), StoreValue(summary.videoCodec),
      StoreValue(summary.audioCodec), StoreValue(summary.audioChannels), StoreValue(summary.isHDR),
      StoreValue(summary.durationMilliseconds), StoreValue(look.inventory),
      .integer(CatalogTables.look), .null,
    ]
  }
}
