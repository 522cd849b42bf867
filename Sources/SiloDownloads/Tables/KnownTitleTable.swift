import SiloStore

/// What catalogs called their items when they were asked last, so that adding one of them asks nobody.
enum KnownTitleTable {
  static let migration = Migration(
    "known-titles",
    """
    ALTER TABLE item ADD COLUMN known_title TEXT;
    CREATE TABLE known_title (
      id INTEGER PRIMARY KEY, owner TEXT NOT NULL, content TEXT NOT NULL, kind TEXT NOT NULL,
      title TEXT NOT NULL, UNIQUE (owner, content)
    ) STRICT
    """)

  /// The most that are kept, the newest.
  static let most = 2000
  /// The most characters of a title.
  static let longest = 300

  /// One item of a catalog.
  struct Row: Hashable, Sendable {
    /// Its id.
    var content: String
    /// `movie`, `series`, `episode`; open.
    var kind: String
    var title: String
  }

  static func store(
    _ rows: [Row], of owner: String, in connection: borrowing Connection
  ) throws {
    for row in rows.suffix(most) {
      try connection.run(
        "DELETE FROM known_title WHERE owner = ? AND content = ?",
        [.text(owner), .text(row.content)])
      try connection.run(
        "INSERT INTO known_title (owner, content, kind, title) VALUES (?, ?, ?, ?)",
        [
          .text(owner), .text(row.content), .text(row.kind),
          .text(String(row.title.prefix(longest))),
        ])
    }
    try connection.run(
      "DELETE FROM known_title WHERE id <= (SELECT max(id) FROM known_title) - ?",
      [.integer(Int64(most))])
  }

  /// What is known of the item `content`, as `owner` saw it; `nil` when nobody asked lately.
  static func row(
    _ content: String, of owner: String, in connection: borrowing Connection
  ) throws -> Row? {
    let rows = try connection.rows(
      "SELECT kind, title FROM known_title WHERE owner = ? AND content = ?",
      [.text(owner), .text(content)])
    guard let row = rows.first, row.count == 2, case .text(let kind) = row[0],
      case .text(let title) = row[1]
    else { return nil }
    return Row(content: content, kind: kind, title: title)
  }

  /// Gives an item of the queue the name that its catalog has for it.
  static func name(
    _ number: Int64, _ title: String, in connection: borrowing Connection
  ) throws {
    try connection.run(
      "UPDATE item SET known_title = ? WHERE id = ?",
      [.text(String(title.prefix(longest))), .integer(number)])
  }
}
