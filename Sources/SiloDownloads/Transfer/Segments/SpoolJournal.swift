import SiloStore
import SiloSystem

/// What lies in the spools of one transfer, so that a rerun continues.
///
/// A row is written right after its bytes: that survives the end of the process. What also survives the loss of power
/// lies below `durable`, which moves only after the spool was synced; after a restart of the machine only that is trusted.
struct SpoolJournal: ~Copyable {
  /// One part that lies in a spool.
  struct Row: Hashable, Sendable {
    var identity: String
    var bytes: Range<Int64>
    var digest: [UInt8]
    /// Whether its blocks were given back while it was packaged.
    var isFreed = false
  }

  /// What is known of one rendition's spool.
  struct Rendition: Sendable {
    /// Names its spool file.
    var id: Int64
    /// The bytes that were synced.
    var durable: Int64
    /// Whether the machine runs since the last row was written.
    var isSameBoot: Bool
    var rows: [Row]
  }

  private static let migrations = [
    Migration(
      "spools",
      """
      CREATE TABLE rendition (
        id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, durable INTEGER NOT NULL,
        boot TEXT NOT NULL
      ) STRICT;
      CREATE TABLE part (
        rendition INTEGER NOT NULL REFERENCES rendition (id), position INTEGER NOT NULL,
        identity TEXT NOT NULL, start INTEGER NOT NULL, length INTEGER NOT NULL,
        digest BLOB NOT NULL, PRIMARY KEY (rendition, position)
      ) STRICT, WITHOUT ROWID;
      """),
    Migration("freed", "ALTER TABLE part ADD COLUMN freed INTEGER NOT NULL DEFAULT 0"),
  ]

  private let connection: Connection
  private let insertion: Statement
  private let boot: String

  /// Opens the journal at `path`; one that is damaged is started anew.
  static func open(
    _ path: String, boot: String, synchronous: Connection.Synchronous = .normal
  ) throws -> SpoolJournal {
    do {
      return try SpoolJournal(path, boot, synchronous)
    } catch let error as StoreError where error.isDamage || error.code == .foreign {
      for suffix in ["", "-wal", "-shm"] { AtomicFile.remove(path + suffix) }
      return try SpoolJournal(path, boot, synchronous)
    }
  }

  private init(
    _ path: String, _ boot: String, _ synchronous: Connection.Synchronous
  ) throws {
    let connection = try Connection.open(path, journal: .wal, synchronous: synchronous)
    try connection.migrate(Self.migrations)
    insertion = try connection.prepare(
      "INSERT INTO part (rendition, position, identity, start, length, digest) VALUES (?, ?, ?, ?, ?, ?)"
    )
    self.connection = connection
    self.boot = boot
  }

  /// What is known of the rendition `name`; nothing of a new one.
  func rendition(_ name: String) throws -> Rendition {
    try connection.run(
      "INSERT OR IGNORE INTO rendition (name, durable, boot) VALUES (?, 0, ?)",
      [.text(name), .text(boot)])
    let found = try connection.prepare("SELECT id, durable, boot FROM rendition WHERE name = ?")
    try found.bind([.text(name)])
    guard try found.step(), let id = found.integer(0), let durable = found.integer(1) else {
      throw StoreError(.corrupt, message: "a row that was just written is not there")
    }
    var rendition = Rendition(
      id: id, durable: durable, isSameBoot: found.text(2) == boot, rows: [])
    let parts = try connection.prepare(
      "SELECT identity, start, length, digest, position, freed FROM part WHERE rendition = ? ORDER BY position"
    )
    try parts.bind([.integer(id)])
    while try parts.step() {
      guard let identity = parts.text(0), let start = parts.integer(1),
        let length = parts.integer(2), let digest = parts.blob(3), length >= 0,
        parts.integer(4) == Int64(rendition.rows.count),
        start == rendition.rows.last?.bytes.upperBound ?? 0, start <= Int64.max - length
      else { break }
      rendition.rows.append(
        Row(
          identity: identity, bytes: start..<(start + length), digest: digest,
          isFreed: parts.integer(5) != 0))
    }
    return rendition
  }

  /// Forgets every part from `count` on, and that anything beyond `end` is durable.
  func keep(_ count: Int, end: Int64, of rendition: Int64) throws {
    try connection.transaction { connection in
      try connection.run(
        "DELETE FROM part WHERE rendition = ? AND position >= ?",
        [.integer(rendition), StoreValue(count)])
      try connection.run(
        "UPDATE rendition SET durable = min(durable, ?), boot = ? WHERE id = ?",
        [.integer(end), .text(boot), .integer(rendition)])
    }
  }

  /// Notes a part whose bytes were just written.
  func insert(_ row: Row, at position: Int, of rendition: Int64) throws {
    try insertion.run([
      .integer(rendition), StoreValue(position), .text(row.identity),
      .integer(row.bytes.lowerBound), StoreValue(row.bytes.count), .blob(row.digest),
    ])
  }

  /// Notes that the spools were synced up to these ends.
  func mark(_ ends: [(rendition: Int64, end: Int64)]) throws {
    try connection.transaction { connection in
      for (rendition, end) in ends {
        try connection.run(
          "UPDATE rendition SET durable = max(durable, ?) WHERE id = ?",
          [.integer(end), .integer(rendition)])
      }
    }
  }

  /// Notes that the bytes of parts are about to go; their place and digest stay known.
  func markFreed(_ parts: [(rendition: Int64, position: Int)]) throws { try set(1, parts) }

  /// Notes that the bytes of parts are there again.
  func markPresent(_ parts: [(rendition: Int64, position: Int)]) throws { try set(0, parts) }

  private func set(_ freed: Int, _ parts: [(rendition: Int64, position: Int)]) throws {
    try connection.transaction { connection in
      for (rendition, position) in parts {
        try connection.run(
          "UPDATE part SET freed = ? WHERE rendition = ? AND position = ?",
          [StoreValue(freed), .integer(rendition), StoreValue(position)])
      }
    }
  }
}
