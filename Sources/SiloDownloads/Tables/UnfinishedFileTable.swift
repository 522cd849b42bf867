import SiloStore

/// The outputs of downloads that were begun and not finished: the item whose partial lies beside each, and its source, so that
/// another choice knows what it leaves lying.
///
/// What belongs to no item is left by whoever never comes back: of that only the newest rows are kept.
enum UnfinishedFileTable {
  static let migration = Migration(
    "unfinished-files",
    """
    CREATE TABLE unfinished_file (
      id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, source TEXT NOT NULL
    ) STRICT
    """)

  /// The most rows without an item.
  static let most = 64

  /// The outputs that were begun from `source`, the newest first.
  static func paths(of source: String, in connection: borrowing Connection) throws -> [String] {
    try texts(
      "SELECT path FROM unfinished_file WHERE source = ? ORDER BY id DESC", [.text(source)],
      in: connection)
  }

  /// The outputs beside which something lies for the sake of the item `number`.
  ///
  /// Of an output that it finished, what a killed run left there is its own, too, unless another item has begun anew.
  static func paths(of number: Int64, in connection: borrowing Connection) throws -> [String] {
    try texts(
      """
      SELECT path FROM unfinished_file WHERE item = ?1 UNION
      SELECT path FROM finished_file f WHERE item = ?1 AND NOT EXISTS (
        SELECT 1 FROM unfinished_file u JOIN item i ON i.id = u.item
        WHERE u.path = f.path AND u.item <> ?1)
      ORDER BY path
      """, [.integer(number)], in: connection)
  }

  /// All outputs beside which something lies for the sake of an item that there is, by the item.
  static func paths(in connection: borrowing Connection) throws -> [Int64: [String]] {
    let statement = try connection.prepare(
      """
      SELECT u.item, u.path FROM unfinished_file u JOIN item i ON i.id = u.item UNION
      SELECT f.item, f.path FROM finished_file f JOIN item i ON i.id = f.item
        WHERE NOT EXISTS (SELECT 1 FROM unfinished_file u JOIN item j ON j.id = u.item
          WHERE u.path = f.path AND u.item <> f.item)
      """)
    var paths: [Int64: [String]] = [:]
    while try statement.step() {
      guard let item = statement.integer(0), let path = statement.text(1), path.hasPrefix("/")
      else { continue }
      paths[item, default: []].append(path)
    }
    return paths
  }

  /// All outputs that were begun.
  static func allPaths(in connection: borrowing Connection) throws -> [String] {
    try texts("SELECT path FROM unfinished_file", [], in: connection)
  }

  /// The outputs that the item `number` began.
  static func begun(of number: Int64, in connection: borrowing Connection) throws -> [String] {
    try texts(
      "SELECT path FROM unfinished_file WHERE item = ?", [.integer(number)], in: connection)
  }

  private static func texts(
    _ sql: String, _ values: [StoreValue], in connection: borrowing Connection
  ) throws -> [String] {
    try connection.rows(sql, values).compactMap { row in
      if case .text(let path)? = row.first, path.hasPrefix("/") { path } else { nil }
    }
  }

  /// Notes that `item` begins the output `path`: whatever lay beside it is taken over, or thrown away, by it.
  static func store(
    _ path: String, of source: String, by item: Int64?, in connection: borrowing Connection
  ) throws {
    try forget(path, in: connection)
    try connection.run(
      "INSERT INTO unfinished_file (path, source, item) VALUES (?, ?, ?)",
      [.text(path), .text(source), StoreValue(item)])
    try connection.run(
      """
      DELETE FROM unfinished_file
      WHERE (item IS NULL OR item NOT IN (SELECT id FROM item)) AND id NOT IN (
        SELECT id FROM unfinished_file WHERE item IS NULL OR item NOT IN (SELECT id FROM item)
        ORDER BY id DESC LIMIT ?)
      """, [.integer(Int64(most))])
  }

  /// Forgets what was begun for the item `number`.
  static func forget(of number: Int64, in connection: borrowing Connection) throws {
    try connection.run("DELETE FROM unfinished_file WHERE item = ?", [.integer(number)])
  }

  static func forget(_ path: String, in connection: borrowing Connection) throws {
    try connection.run("DELETE FROM unfinished_file WHERE path = ?", [.text(path)])
  }
}
