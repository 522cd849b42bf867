import Foundation
import SiloMedia
import SiloStore

/// What was found in files on the web whose downloads were begun, so that a rerun need not look again.
///
/// Whoever never comes back leaves a row: only the newest are kept, and none that is longer than the look that it saves.
enum SourceLookTable {
  static let migration = Migration(
    "source-looks",
    """
    CREATE TABLE source_look (
      id INTEGER PRIMARY KEY, source TEXT NOT NULL UNIQUE, look BLOB NOT NULL
    ) STRICT
    """)

  /// The most rows.
  static let most = 64
  /// The most bytes of a row.
  static let longest = Int(MediaSource.openingByteCount)

  /// What a row holds, as JSON.
  private struct Row: Codable {
    var validators: HTTPValidators
    var inventory: MediaInventory
  }

  /// What was noted of `source`; `nil` also for a row that cannot be read.
  static func look(into source: String, in connection: borrowing Connection) throws -> SourceLook? {
    let row = try connection.rows("SELECT look FROM source_look WHERE source = ?", [.text(source)])
    guard case .blob(let json)? = row.first?.first, json.count <= longest,
      let row = try? JSONDecoder().decode(Row.self, from: Data(json))
    else { return nil }
    return SourceLook(noted: row.inventory, of: row.validators)
  }

  static func store(
    _ look: SourceLook, into source: String, in connection: borrowing Connection
  ) throws {
    try forget(source, in: connection)
    let row = Row(validators: look.validators, inventory: look.inventory)
    let json = [UInt8](try JSONEncoder().encode(row))
    guard json.count <= longest else { return }
    try connection.run(
      "INSERT INTO source_look (source, look) VALUES (?, ?)", [.text(source), .blob(json)])
    try connection.run(
      """
      DELETE FROM source_look
      WHERE id NOT IN (SELECT id FROM source_look ORDER BY id DESC LIMIT ?)
      """, [.integer(Int64(most))])
  }

  static func forget(_ source: String, in connection: borrowing Connection) throws {
    try connection.run("DELETE FROM source_look WHERE source = ?", [.text(source)])
  }
}
