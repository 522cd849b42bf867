import SiloStore

/// A file that was finished and verified by this program: what tells it from somebody else's.
struct FinishedFile: Hashable, Codable, Sendable {
  /// The absolute path.
  var path: String
  /// The length in bytes when it was finished.
  var byteCount: Int64
  /// The modification time in nanoseconds since 1970 when it was finished.
  var modified: Int64
  /// The SHA-256 in lower-case hexadecimal.
  var sha256: String
  /// The source without its secrets.
  var source: String
  /// The chosen tracks and the container, as text that is equal when they are.
  var selection: String
  /// The item that made it; `nil` while nobody knows.
  var item: Int64?

  /// Whether what lies there has the length and the time of when it was finished.
  var isStillThere: Bool {
    FileFacts(path).map { ($0.byteCount, $0.modified) == (byteCount, modified) } ?? false
  }
}

/// The table of finished files.
enum FinishedFileTable {
  static let migration = Migration(
    "finished-files",
    """
    CREATE TABLE finished_file (
      path TEXT PRIMARY KEY,
      byte_count INTEGER NOT NULL,
      modified INTEGER NOT NULL,
      sha256 TEXT NOT NULL,
      source TEXT NOT NULL,
      selection TEXT NOT NULL
    ) STRICT
    """)

  static func file(at path: String, in connection: borrowing Connection) throws -> FinishedFile? {
    let row = try connection.rows(
      "SELECT \(columns) FROM finished_file WHERE path = ?", [.text(path)]
    ).first
    return row.flatMap(file)
  }

  /// The file that an item made and that nobody took the place of; `nil` when it has none.
  static func file(of item: Int64, in connection: borrowing Connection) throws -> FinishedFile? {
    try connection.rows(
      "SELECT \(columns) FROM finished_file WHERE item = ?", [.integer(item)]
    ).first.flatMap(file)
  }

  private static let columns = "byte_count, modified, sha256, source, selection, path, item"

  private static func file(_ row: [StoreValue]) -> FinishedFile? {
    guard case .integer(let byteCount) = row[0], case .integer(let modified) = row[1],
      case .text(let sha256) = row[2], case .text(let source) = row[3],
      case .text(let selection) = row[4], case .text(let path) = row[5], path.hasPrefix("/")
    else { return nil }
    var file = FinishedFile(
      path: path, byteCount: byteCount, modified: modified, sha256: sha256, source: source,
      selection: selection)
    if case .integer(let item) = row[6] { file.item = item }
    return file
  }

  /// The files of sources whose names begin with `beginning`, the newest first.
  static func paths(of beginning: String, in connection: borrowing Connection) throws -> [String] {
    try connection.rows(
      "SELECT path FROM finished_file WHERE substr(source, 1, length(?)) = ? ORDER BY rowid DESC",
      [.text(beginning), .text(beginning)]
    ).compactMap { row in
      if case .text(let path)? = row.first { path } else { nil }
    }
  }

  /// Puts a file in the place of whatever was finished at its path; what its item made elsewhere is nobody's then.
  static func store(_ file: FinishedFile, in connection: borrowing Connection) throws {
    try connection.run(
      "UPDATE finished_file SET item = NULL WHERE item = ? AND path <> ?",
      [StoreValue(file.item), .text(file.path)])
    try connection.run(
      """
      INSERT INTO finished_file (path, byte_count, modified, sha256, source, selection, item)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (path) DO UPDATE SET byte_count = excluded.byte_count,
        modified = excluded.modified, sha256 = excluded.sha256, source = excluded.source,
        selection = excluded.selection, item = excluded.item
      """,
      [
        .text(file.path), .integer(file.byteCount), .integer(file.modified), .text(file.sha256),
        .text(file.source), .text(file.selection), StoreValue(file.item),
      ])
  }
}
