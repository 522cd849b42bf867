import Foundation
import SiloMedia
import SiloStore

/// What the first segments of an unfinished presentation told, so that a rerun need not ask for them again.
///
/// Whoever never comes back leaves rows: only those of the newest presentations are kept.
enum FirstSegmentTable {
  static let migration = Migration(
    "first-segments",
    """
    CREATE TABLE first_segment (
      source TEXT NOT NULL, segment TEXT NOT NULL, byte_count INTEGER NOT NULL,
      inventory BLOB NOT NULL, PRIMARY KEY (source, segment)
    ) STRICT
    """)

  /// The most presentations.
  static let most = 64

  /// What was noted of `source`, by the segments' names.
  static func segments(
    of source: String, in connection: borrowing Connection
  ) throws -> [String: (byteCount: Int64, inventory: MediaInventory)] {
    let rows = try connection.rows(
      "SELECT segment, byte_count, inventory FROM first_segment WHERE source = ?", [.text(source)])
    var found: [String: (Int64, MediaInventory)] = [:]
    for row in rows {
      guard case .text(let name) = row[0], case .integer(let byteCount) = row[1],
        case .blob(let json) = row[2],
        let inventory = try? JSONDecoder().decode(MediaInventory.self, from: Data(json))
      else { continue }
      found[name] = (byteCount, inventory)
    }
    return found
  }

  static func store(
    _ name: String, byteCount: Int64, inventory: MediaInventory, of source: String,
    in connection: borrowing Connection
  ) throws {
    try connection.run(
      "INSERT OR REPLACE INTO first_segment VALUES (?, ?, ?, ?)",
      [
        .text(source), .text(name), .integer(byteCount),
        .blob([UInt8](try JSONEncoder().encode(inventory))),
      ])
    try connection.run(
      """
      DELETE FROM first_segment WHERE source NOT IN (
        SELECT source FROM first_segment GROUP BY source ORDER BY max(rowid) DESC LIMIT ?)
      """, [.integer(Int64(most))])
  }

  static func forget(_ source: String, in connection: borrowing Connection) throws {
    try connection.run("DELETE FROM first_segment WHERE source = ?", [.text(source)])
  }
}
