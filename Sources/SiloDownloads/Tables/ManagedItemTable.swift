import SiloStore

/// An item of the queue as a server knows it: the row that was registered for it.
struct ManagedItem: Hashable, Sendable {
  /// The item.
  var item: Int64
  /// The server's address.
  var server: String
  /// The account and profile, and the server again; see `SiloAccount.owner`.
  var owner: String
  /// The installation that the row belongs to.
  var device: String
  /// The row's id.
  var download: String
  /// Its revision.
  var revision: Int
  /// What a finished file of it is recorded as.
  var name: String
  /// The version that is served.
  var file: Int64?
  /// Its length in bytes.
  var byteCount: Int64?
  /// The hash that the manifest told.
  var hash: String?
  /// The status that the server was told last; `nil` when it was told none.
  var told: String?
  /// What became of the row and was said already: `revoked`.
  var remark: String?
}

/// The table of what was registered at servers, a row for each item.
enum ManagedItemTable {
  static let migration = Migration(
    "managed-items",
    """
    ALTER TABLE item ADD COLUMN owner TEXT;
    CREATE TABLE managed_item (
      item INTEGER PRIMARY KEY, server TEXT NOT NULL, owner TEXT NOT NULL, device TEXT NOT NULL,
      download TEXT NOT NULL, revision INTEGER NOT NULL, name TEXT NOT NULL, file INTEGER,
      byte_count INTEGER, hash TEXT, told TEXT, remark TEXT
    ) STRICT;
    CREATE INDEX managed_item_download ON managed_item (owner, device, download);
    CREATE TABLE outbox (
      id INTEGER PRIMARY KEY, server TEXT NOT NULL, owner TEXT NOT NULL, device TEXT NOT NULL,
      download TEXT NOT NULL, UNIQUE (owner, device, download)
    ) STRICT
    """)

  private static let columns = """
    m.item, m.server, m.owner, m.device, m.download, m.revision, m.name, m.file, m.byte_count,
    m.hash, m.told, m.remark
    """

  /// What is registered for an item; `nil` when nothing is.
  static func managed(_ item: Int64, in connection: borrowing Connection) throws -> ManagedItem? {
    try rows("FROM managed_item m WHERE m.item = ?", [.integer(item)], in: connection).first
  }

  /// What is finished, of `owner`, and what the server has not heard of yet, with the record of the file.
  static func untold(
    of owner: String, in connection: borrowing Connection
  ) throws -> [(managed: ManagedItem, file: FinishedFile)] {
    let found = try rows(
      """
      FROM managed_item m JOIN item i ON i.id = m.item
      JOIN finished_file f ON f.path = i.path AND f.source = m.name
      WHERE m.owner = ? AND m.told IS NOT 'completed' AND i.state = 'finished'
      """, [.text(owner)], in: connection)
    return try found.compactMap { managed in
      guard let path = try ItemTable.item(managed.item, in: connection)?.path,
        let file = try FinishedFileTable.file(at: path, in: connection)
      else { return nil }
      return (managed, file)
    }
  }

  /// Notes the row of an item before its transfer starts; a delete of it that waits to be sent is taken back.
  ///
  /// Where another row has taken the place of the one before, by another device perhaps, the server is to forget that one; a
  /// finished file of the same version, length and hash is of the new one then.
  static func store(_ managed: ManagedItem, in connection: borrowing Connection) throws {
    let before = try Self.managed(managed.item, in: connection)
    let isSame =
      before?.name == managed.name && before?.owner == managed.owner
      && before?.device == managed.device
    if let before, before.owner == managed.owner, before.download != managed.download,
      before.file == managed.file, before.byteCount == managed.byteCount, before.hash != nil,
      before.hash == managed.hash
    {
      try connection.run(
        """
        UPDATE finished_file SET source = ?
        WHERE source = ? AND path = (SELECT path FROM item WHERE id = ?)
        """, [.text(managed.name), .text(before.name), .integer(managed.item)])
    }
    if let before, before.download != managed.download || before.device != managed.device {
      try release(before.item, in: connection)
    }
    try connection.run(
      "INSERT OR REPLACE INTO managed_item VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)",
      [
        .integer(managed.item), .text(managed.server), .text(managed.owner),
        .text(managed.device), .text(managed.download), .integer(Int64(managed.revision)),
        .text(managed.name), StoreValue(managed.file), StoreValue(managed.byteCount),
        StoreValue(managed.hash), StoreValue(isSame ? before?.told : nil),
      ])
    try connection.run(
      "DELETE FROM outbox WHERE owner = ? AND device = ? AND download = ?",
      [.text(managed.owner), .text(managed.device), .text(managed.download)])
  }

  /// Notes what the server was told of the row that `managed` is, unless the item has another one meanwhile.
  static func tell(
    _ status: String, _ managed: ManagedItem, in connection: borrowing Connection
  ) throws {
    try connection.run(
      "UPDATE managed_item SET told = ? WHERE item = ? AND name = ?",
      [.text(status), .integer(managed.item), .text(managed.name)])
  }

  /// Notes what was said to the user of a row.
  static func remark(
    _ remark: String, _ managed: ManagedItem, in connection: borrowing Connection
  ) throws {
    try connection.run(
      "UPDATE managed_item SET remark = ? WHERE item = ? AND name = ?",
      [.text(remark), .integer(managed.item), .text(managed.name)])
  }

  /// Nobody wants an item any more: the server is to forget its row, unless another item is of the same one.
  static func release(_ item: Int64, in connection: borrowing Connection) throws {
    guard let managed = try managed(item, in: connection) else { return }
    try connection.run("DELETE FROM managed_item WHERE item = ?", [.integer(item)])
    try connection.run(
      """
      INSERT OR IGNORE INTO outbox (server, owner, device, download)
      SELECT ?1, ?2, ?3, ?4 WHERE NOT EXISTS (
        SELECT 1 FROM managed_item WHERE owner = ?2 AND device = ?3 AND download = ?4)
      """,
      [
        .text(managed.server), .text(managed.owner), .text(managed.device),
        .text(managed.download),
      ])
  }

  private static func rows(
    _ rest: String, _ values: [StoreValue], in connection: borrowing Connection
  ) throws -> [ManagedItem] {
    let statement = try connection.prepare("SELECT \(columns) \(rest)")
    try statement.bind(values)
    var items: [ManagedItem] = []
    while try statement.step() {
      guard let item = statement.integer(0), let server = statement.text(1),
        let owner = statement.text(2), let device = statement.text(3),
        let download = statement.text(4), let name = statement.text(6)
      else { continue }
      items.append(
        ManagedItem(
          item: item, server: server, owner: owner, device: device, download: download,
          revision: Int(clamping: statement.integer(5) ?? 0), name: name,
          file: statement.integer(7), byteCount: statement.integer(8), hash: statement.text(9),
          told: statement.text(10), remark: statement.text(11)))
    }
    return items
  }
}
