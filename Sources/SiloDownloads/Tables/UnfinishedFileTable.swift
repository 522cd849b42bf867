import SiloStore

/// The outputs of downloads that were begun and not finished, by their source: what another choice leaves lying.
///
/// Whoever never comes back leaves a row: only the newest are kept.
enum UnfinishedFileTable {
  static let migration = Migration(
    "unfinished-files",
    """
    CREATE TABLE unfinished_file (
      id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, source TEXT NOT NULL
    ) STRICT
    """)

  /// The most rows.
  static let most = 64

  /// The outputs that were begun from `source`, the newest first.
  static func paths(of source: String, in connection: borrowing Connection) throws -> [String] {
    try connection.rows(
      "SELECT path FROM unfinished_file WHERE source = ? ORDER BY id DESC", [.text(source)]
    ).compactMap { row in
      if case .text(let path)? = row.first { path } else { nil }
    }
  }

  static func store(_ path: String, of source: String, in connection: borrowing Connection) throws {
    try forget(path, in: connection)
    try connection.run(
      "INSERT INTO unfinished_file (path, source) VALUES (?, ?)", [.text(path), .text(source)])
    try connection.run(
      """
      DELETE FROM unfinished_file
      WHERE id NOT IN (SELECT id FROM unfinished_file ORDER BY id DESC LIMIT ?)
      """, [.integer(Int64(most))])
  }

  static func forget(_ path: String, in connection: borrowing Connection) throws {
    try connection.run("DELETE FROM unfinished_file WHERE path = ?", [.text(path)])
  }
}
