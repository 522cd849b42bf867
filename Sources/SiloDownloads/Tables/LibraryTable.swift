import SiloStore
import SiloSystem

import struct Foundation.URL

/// What the library reads of the tables of items and of finished files.
enum LibraryTable {
  /// The finished files, each with the item that made it.
  static func entries(in connection: borrowing Connection) throws -> [LibraryEntry] {
    let statement = try connection.prepare(
      """
      SELECT i.id, i.source, i.title, f.path, f.byte_count, f.sha256, f.modified, i.owner
      FROM finished_file f JOIN item i ON i.id = f.item ORDER BY i.id
      """)
    var entries: [LibraryEntry] = []
    while try statement.step() {
      guard let number = statement.integer(0), let path = statement.text(3), path.hasPrefix("/"),
        let byteCount = statement.integer(4), let sha256 = statement.text(5)
      else { continue }
      let modified = statement.integer(6)
      let url = URL(filePath: path, directoryHint: .notDirectory)
      entries.append(
        LibraryEntry(
          id: "\(number)", source: statement.text(1) ?? "",
          title: statement.text(2) ?? FileName(url.lastPathComponent)?.stem ?? path, url: url,
          byteCount: byteCount, sha256: sha256,
          condition: LibraryEntry.condition(of: path, byteCount, modified: modified),
          number: number, modified: modified, owner: statement.text(7)))
    }
    return entries
  }

  /// Whether every finished file has an item.
  static func isWhole(in connection: borrowing Connection) throws -> Bool {
    try connection.rows(
      """
      SELECT 1 FROM finished_file
      WHERE item IS NULL OR item NOT IN (SELECT id FROM item) LIMIT 1
      """
    ).isEmpty
  }

  /// Gives the finished files that have no item one: that of the same source and path, else a new one.
  static func adopt(in connection: borrowing Connection) throws {
    try connection.execute(
      """
      UPDATE finished_file SET item = NULL WHERE item NOT IN (SELECT id FROM item);
      UPDATE finished_file SET item = (
        SELECT max(i.id) FROM item i WHERE i.path = finished_file.path
          AND (i.source = finished_file.source
            OR substr(finished_file.source, 1, length(i.source) + 2) = i.source || ' #')
          AND NOT EXISTS (SELECT 1 FROM finished_file g WHERE g.item = i.id))
      WHERE item IS NULL;
      INSERT INTO item (key, source, state, byte_count, expected, path, is_listed)
      SELECT f.source || char(10) || f.path, f.source, 'finished', f.byte_count, f.byte_count,
        f.path, 0
      FROM finished_file f WHERE f.item IS NULL ON CONFLICT (key) DO NOTHING;
      UPDATE finished_file SET item = (
        SELECT i.id FROM item i
        WHERE i.key = finished_file.source || char(10) || finished_file.path
          AND NOT EXISTS (SELECT 1 FROM finished_file g WHERE g.item = i.id))
      WHERE item IS NULL
      """)
  }

  /// The record of the file that an item made; `nil` when it made none, or another item's took its place.
  static func record(
    of item: QueueItem, in connection: borrowing Connection
  ) throws -> FinishedFile? {
    try FinishedFileTable.file(of: item.number, in: connection)
  }

  /// Forgets a file, and the item with it.
  static func forget(_ item: QueueItem, in connection: borrowing Connection) throws {
    try connection.run("DELETE FROM finished_file WHERE item = ?", [.integer(item.number)])
    try ItemTable.remove(item.number, in: connection)
  }
}
