import Foundation
import SiloStore
import SiloSystem

/// The table of items: one row from the first wish to the finished file, and the settings of the queue.
///
/// Every reader takes a row as it comes: one that says nonsense is an item that is damaged, and the others are read on.
enum ItemTable {
  static let migration = Migration(
    "items",
    """
    CREATE TABLE item (
      id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE,
      source TEXT NOT NULL, host TEXT, title TEXT, wish BLOB, needs TEXT NOT NULL DEFAULT '',
      state TEXT NOT NULL, attempt INTEGER NOT NULL DEFAULT 0,
      byte_count INTEGER NOT NULL DEFAULT 0, expected INTEGER, path TEXT,
      failure TEXT, message TEXT, is_worth_retrying INTEGER NOT NULL DEFAULT 0,
      failure_count INTEGER NOT NULL DEFAULT 0, not_before INTEGER,
      is_listed INTEGER NOT NULL DEFAULT 1
    ) STRICT;
    CREATE INDEX item_path ON item (path);
    CREATE INDEX item_state ON item (state);
    CREATE TABLE made_folder (path TEXT PRIMARY KEY) STRICT;
    CREATE TABLE queue_setting (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT;
    INSERT INTO item (key, source, state, byte_count, expected, path, is_listed)
      SELECT source || char(10) || path, source, 'finished', byte_count, byte_count, path, 0
      FROM finished_file
    """)

  private static let columns = """
    id, source, title, state, attempt, byte_count, expected, path, failure, message,
    is_worth_retrying, failure_count, not_before, needs, is_listed, owner, known_title
    """

  /// All items, the oldest first, or those of a condition.
  ///
  /// - Parameter condition: What follows WHERE.
  static func items(
    where condition: String = "TRUE", _ values: [StoreValue] = [],
    in connection: borrowing Connection
  ) throws -> [QueueItem] {
    let statement = try connection.prepare(
      "SELECT \(columns) FROM item WHERE \(condition) ORDER BY id")
    try statement.bind(values)
    var items: [QueueItem] = []
    while try statement.step() { items.append(item(statement)) }
    return items
  }

  static func item(_ number: Int64, in connection: borrowing Connection) throws -> QueueItem? {
    try items(where: "id = ?", [.integer(number)], in: connection).first
  }

  /// What the user wanted of an item; `nil` when there is none, or it cannot be read.
  static func wish(of number: Int64, in connection: borrowing Connection) throws -> ItemWish? {
    let rows = try connection.rows("SELECT wish FROM item WHERE id = ?", [.integer(number)])
    guard case .blob(let json)? = rows.first?.first else { return nil }
    return try? JSONDecoder().decode(ItemWish.self, from: Data(json))
  }

  private static func item(_ row: borrowing Statement) -> QueueItem {
    let number = row.integer(0) ?? 0
    let path = row.text(7)
    let source = row.text(1) ?? ""
    let state = row.text(3).flatMap(ItemState.init)
    let byteCount = max(0, row.integer(5) ?? 0)
    var item = QueueItem(
      id: "\(number)", source: source,
      title: row.text(2) ?? (path == nil ? row.text(16) : nil)
        ?? Self.title(path: path, source: source),
      state: state ?? .failed, attempt: Int(clamping: row.integer(4) ?? 0),
      byteCount: byteCount,
      // Of another choice of tracks, or nonsense: then it is not known.
      expectedByteCount: row.integer(6).flatMap { $0 >= byteCount ? $0 : nil }, path: path,
      notBefore: moment(row.integer(12)),
      failureCount: Int(min(max(0, row.integer(11) ?? 0), 1000)), number: number)
    item.isListed = row.integer(14) != 0
    item.owner = row.text(15)
    item.needs = (row.text(13) ?? "").split(separator: "\n").map(String.init)
    if let code = row.text(8) {
      item.failure = QueueFailure(
        DownloadError.Code(stored: code), row.text(9) ?? "",
        isWorthRetrying: row.integer(10) == 1)
    }
    if isDamaged(state: state, path: path, attempt: row.integer(4)) {
      item.isDamaged = true
      item.state = .failed
      item.failure = QueueFailure(
        .config, "Its row in the queue is damaged. Remove it and add the source again.",
        isWorthRetrying: false)
    }
    return item
  }

  /// Whether what a row says can be true of no item.
  static func isDamaged(state: ItemState?, path: String?, attempt: Int64?) -> Bool {
    state == nil || path?.hasPrefix("/") == false
      || attempt.map { 0...mostAttempts ~= $0 } != true
  }

  /// More often no worker takes an item.
  static let mostAttempts: Int64 = 1_000_000_000

  /// A moment in milliseconds since 1970; `nil` for one before.
  static func moment(_ value: Int64?) -> Int64? { value.flatMap { $0 < 0 ? nil : $0 } }

  /// The name of the file without its suffix, else the last part of the source.
  private static func title(path: String?, source: String) -> String {
    let whole = path ?? source
    let end = whole.lastIndex { $0 != "/" } ?? whole.startIndex
    let start = whole[..<end].lastIndex(of: "/").map { whole.index(after: $0) }
    let name = String(whole[(start ?? whole.startIndex)...].prefix { $0 != "/" })
    let isEncoded = path == nil && name.utf8.contains(UInt8(ascii: "%"))
    let text = isEncoded ? name.removingPercentEncoding ?? name : name
    return FileName(text)?.stem ?? text
  }

  // MARK: - Changing

  /// A row for `wish`; the row that has its key already when there is one.
  ///
  /// - Parameter owner: Whose wish it is, of an item of a server: the same wish of somebody else is another item.
  static func add(
    _ wish: ItemWish, of owner: String?, encoded: [UInt8], in connection: borrowing Connection
  ) throws -> (number: Int64, isNew: Bool) {
    let key = wish.key + (owner.map { "\n" + $0 } ?? "")
    let known = try connection.rows("SELECT id FROM item WHERE key = ?", [.text(key)])
    if case .integer(let number)? = known.first?.first { return (number, false) }
    try connection.run(
      """
      INSERT INTO item (key, source, host, wish, needs, state, path, owner)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .text(key), .text(wish.name), StoreValue(wish.host), .blob(encoded),
        .text(wish.needs.joined(separator: "\n")), .text(ItemState.waiting.rawValue),
        StoreValue(wish.target), StoreValue(owner),
      ])
    return (connection.lastInsertedRow, true)
  }

  /// Puts another wish in the place of the one that an item has.
  static func change(
    _ number: Int64, to wish: ItemWish, encoded: [UInt8], in connection: borrowing Connection
  ) throws {
    try connection.run(
      "UPDATE item SET source = ?, host = ?, wish = ?, needs = ? WHERE id = ?",
      [
        .text(wish.name), StoreValue(wish.host), .blob(encoded),
        .text(wish.needs.joined(separator: "\n")), .integer(number),
      ])
  }

  /// Sets the state; every worker that has the item is a late one from now on.
  static func enter(
    _ state: ItemState, _ number: Int64, keepsFailure: Bool = false,
    in connection: borrowing Connection
  ) throws {
    let forgetting =
      keepsFailure
      ? "" : ", failure = NULL, message = NULL, failure_count = 0, not_before = NULL"
    try connection.run(
      """
      UPDATE item SET state = ?, is_listed = 1\(forgetting),
        attempt = CASE WHEN attempt BETWEEN 0 AND ? THEN attempt + 1 ELSE 1 END WHERE id = ?
      """, [.text(state.rawValue), .integer(mostAttempts - 1), .integer(number)])
  }

  /// Takes an item off the list of the queue.
  static func unlist(_ number: Int64, in connection: borrowing Connection) throws {
    try connection.run("UPDATE item SET is_listed = 0 WHERE id = ?", [.integer(number)])
  }

  /// Takes an item off the list that nobody wants any more: one with a finished file stays in the library, others go.
  static func leave(_ number: Int64, in connection: borrowing Connection) throws {
    guard try FinishedFileTable.file(of: number, in: connection) != nil else {
      return try remove(number, in: connection)
    }
    try enter(.finished, number, in: connection)
    try unlist(number, in: connection)
  }

  /// The number of the newest item that there ever was.
  static func lastNumber(in connection: borrowing Connection) throws -> Int64 {
    let rows = try connection.rows("SELECT seq FROM sqlite_sequence WHERE name = 'item'")
    guard case .integer(let number)? = rows.first?.first else { return 0 }
    return number
  }

  /// Removes an item; its server is to forget the row of it, too.
  static func remove(_ number: Int64, in connection: borrowing Connection) throws {
    try ManagedItemTable.release(number, in: connection)
    try connection.run("DELETE FROM unfinished_file WHERE item = ?", [.integer(number)])
    try connection.run("DELETE FROM item WHERE id = ?", [.integer(number)])
  }
}
