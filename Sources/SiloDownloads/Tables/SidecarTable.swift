import SiloStore

/// The table of files that lie beside finished ones: what tells ours from the user's.
enum SidecarTable {
  static let migration = Migration(
    "sidecars",
    """
    CREATE TABLE sidecar (
      path TEXT PRIMARY KEY, owner TEXT NOT NULL, kind TEXT NOT NULL, version TEXT NOT NULL,
      byte_count INTEGER NOT NULL, modified INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX sidecar_owner ON sidecar (owner)
    """)

  private static let columns = "path, owner, kind, version, byte_count, modified"

  /// All of them, or those of a condition, by path.
  ///
  /// - Parameter condition: What follows WHERE.
  static func sidecars(
    where condition: String = "TRUE", _ values: [StoreValue] = [],
    in connection: borrowing Connection
  ) throws -> [Sidecar] {
    try connection.rows(
      "SELECT \(columns) FROM sidecar WHERE \(condition) ORDER BY path", values
    ).compactMap { row in
      guard case .text(let path) = row[0], path.hasPrefix("/"), case .text(let owner) = row[1],
        case .text(let name) = row[2], let kind = Sidecar.Kind(rawValue: name),
        case .text(let version) = row[3], case .integer(let byteCount) = row[4],
        case .integer(let modified) = row[5]
      else { return nil }
      return Sidecar(
        path: path, owner: owner, kind: kind, version: version, byteCount: byteCount,
        modified: modified)
    }
  }

  /// Those that belong to `owner`.
  static func sidecars(
    of owner: Sidecar.Owner, in connection: borrowing Connection
  ) throws -> [Sidecar] {
    try sidecars(where: "owner = ?", [.text(owner.text)], in: connection)
  }

  /// Those that belong to the series in whose folders the file at `path` lies.
  static func shared(by path: String, in connection: borrowing Connection) throws -> [Sidecar] {
    // A folder that owns something is a beginning of the path.
    try sidecars(
      where: "substr(owner, -1) = '/' AND substr(?, 1, length(owner)) = owner", [.text(path)],
      in: connection)
  }

  static func store(_ sidecar: Sidecar, in connection: borrowing Connection) throws {
    try connection.run(
      "INSERT OR REPLACE INTO sidecar (\(columns)) VALUES (?, ?, ?, ?, ?, ?)",
      [
        .text(sidecar.path), .text(sidecar.owner), .text(sidecar.kind.rawValue),
        .text(sidecar.version), .integer(sidecar.byteCount), .integer(sidecar.modified),
      ])
  }

  static func forget(_ paths: [String], in connection: borrowing Connection) throws {
    for path in paths {
      try connection.run("DELETE FROM sidecar WHERE path = ?", [.text(path)])
    }
  }

  /// Whether an item other than `number` has, or will have, a file below `folder`.
  ///
  /// A finished item has what its record says: one whose file became another item's has none any more.
  static func isFolderOfOthers(
    _ folder: String, than number: Int64, at path: String, in connection: borrowing Connection
  ) throws -> Bool {
    let (from, end): (StoreValue, StoreValue) = (.text(folder + "/"), .text(folder + "0"))
    return try !connection.rows(
      """
      SELECT 1 FROM item
        WHERE path > ? AND path < ? AND path <> ? AND id <> ?
          AND state NOT IN ('cancelled', 'finished')
      UNION ALL SELECT 1 FROM finished_file
        WHERE path > ? AND path < ? AND item IS NOT ? LIMIT 1
      """, [from, end, .text(path), .integer(number), from, end, .integer(number)]
    ).isEmpty
  }
}
