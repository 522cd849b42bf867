import SiloStore
import SiloSystem

import struct Foundation.URL

/// What the library reads of the tables of items and of finished files.
enum LibraryTable {
  /// Items that have a finished file, one for each file: the one that finished it last.
  static func entries(in connection: borrowing Connection) throws -> [LibraryEntry] {
    let statement = try connection.prepare(
      """
      SELECT i.id, i.source, i.title, f.path, f.byte_count, f.sha256, f.modified,
        max((i.state = 'finished') * 1000000000000 + i.id), i.owner
      FROM finished_file f JOIN item i ON i.path = f.path GROUP BY f.path ORDER BY i.id
      """)
    var entries: [LibraryEntry] = []
    while try statement.step() {
      guard let number = statement.integer(0), let path = statement.text(3), path.hasPrefix("/"),
        let byteCount = statement.integer(4), let sha256 = statement.text(5)
      else { continue }
      let url = URL(filePath: path, directoryHint: .notDirectory)
      entries.append(
        LibraryEntry(
          id: "\(number)", source: statement.text(1) ?? "",
          title: statement.text(2) ?? FileName(url.lastPathComponent)?.stem ?? path, url: url,
          byteCount: byteCount, sha256: sha256,
          condition: condition(of: path, byteCount, modified: statement.integer(6)),
          number: number, owner: statement.text(8)))
    }
    return entries
  }

  private static func condition(
    of path: String, _ byteCount: Int64, modified: Int64?
  ) -> LibraryEntry.Condition {
    guard let facts = FileFacts(path) else { return .missing }
    return facts.byteCount == byteCount && facts.modified == modified ? .finished : .changed
  }

  /// Whether every finished file has an item.
  static func isWhole(in connection: borrowing Connection) throws -> Bool {
    try connection.rows(
      """
      SELECT 1 FROM finished_file f
      WHERE NOT EXISTS (SELECT 1 FROM item i WHERE i.path = f.path) LIMIT 1
      """
    ).isEmpty
  }

  /// Makes items of the finished files that have none; one that is just being finished has its own soon.
  static func adopt(in connection: borrowing Connection) throws {
    try connection.execute(
      """
      INSERT INTO item (key, source, state, byte_count, expected, path, is_listed)
      SELECT f.source || char(10) || f.path, f.source, 'finished', f.byte_count, f.byte_count,
        f.path, 0
      FROM finished_file f
      WHERE NOT EXISTS (SELECT 1 FROM item i WHERE i.path = f.path)
        AND NOT EXISTS (
          SELECT 1 FROM item i
          WHERE i.state IN ('preparing', 'transferring', 'verifying', 'packaging')
            AND (f.source = i.source
              OR substr(f.source, 1, length(i.source) + 2) = i.source || ' #'))
      ON CONFLICT (key) DO UPDATE SET state = 'finished', path = excluded.path
      """)
  }

  /// The record of the file of an item; `nil` when it has none, or what lies there was finished by another item.
  static func record(
    of item: QueueItem, in connection: borrowing Connection
  ) throws -> FinishedFile? {
    guard let path = item.path else { return nil }
    let others = try connection.rows(
      """
      SELECT 1 FROM item WHERE path = ?1
      AND (state = 'finished') * 1000000000000 + id > (?2 = 'finished') * 1000000000000 + ?3
      """, [.text(path), .text(item.state.rawValue), .integer(item.number)])
    guard others.isEmpty else { return nil }
    return try FinishedFileTable.file(at: path, in: connection)
  }

  /// Forgets a file, and the item with it.
  static func forget(_ item: QueueItem, in connection: borrowing Connection) throws {
    if let path = item.path, try record(of: item, in: connection) != nil {
      try connection.run("DELETE FROM finished_file WHERE path = ?", [.text(path)])
    }
    if let path = item.path { try UnfinishedFileTable.forget(path, in: connection) }
    try ItemTable.remove(item.number, in: connection)
  }
}
