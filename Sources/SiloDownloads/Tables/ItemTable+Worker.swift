import SiloStore
import SiloSystem

extension ItemTable {
  /// What a worker has to say about its item; what is `nil` stays as it is.
  struct Note: Sendable, Equatable {
    var state: ItemState?
    var byteCount: Int64?
    var expectedByteCount: Int64?
    var path: String?
    var title: String?
    /// Folders that had to be made for it.
    var folders: [String] = []
  }

  /// How a worker leaves its item.
  struct Ending: Sendable {
    var state: ItemState
    var failure: QueueFailure?
    var failureCount = 0
    var notBefore: Int64?
    var isListed = true
  }

  /// Writes a note of the worker that has `attempt`; false, with nothing but its folders written, when the item is no longer
  /// its own.
  ///
  /// The bytes never go backwards.
  static func note(
    _ note: Note, of number: Int64, attempt: Int, in connection: borrowing Connection
  ) throws -> Bool {
    try connection.run(
      """
      UPDATE item SET state = coalesce(?, state), byte_count = max(byte_count, coalesce(?, 0)),
        expected = coalesce(?, expected), path = coalesce(?, path), title = coalesce(?, title)
      WHERE id = ? AND attempt = ?
      """,
      [
        StoreValue(note.state?.rawValue), StoreValue(note.byteCount),
        StoreValue(note.expectedByteCount), StoreValue(note.path), StoreValue(note.title),
        .integer(number), .integer(Int64(attempt)),
      ])
    let isOurs = connection.changeCount == 1
    try self.note(folders: note.folders, in: connection)
    return isOurs
  }

  /// Writes how the worker that has `attempt` left the item; false when it is no longer its own.
  static func end(
    _ ending: Ending, of number: Int64, attempt: Int, in connection: borrowing Connection
  ) throws -> Bool {
    try connection.run(
      """
      UPDATE item SET state = ?, failure = ?, message = ?, is_worth_retrying = ?,
        failure_count = ?, not_before = ?, is_listed = ?
      WHERE id = ? AND attempt = ?
      """,
      [
        .text(ending.state.rawValue), StoreValue(ending.failure?.code.description),
        StoreValue(ending.failure?.message), StoreValue(ending.failure?.isWorthRetrying ?? false),
        .integer(Int64(ending.failureCount)), StoreValue(ending.notBefore),
        StoreValue(ending.isListed), .integer(number), .integer(Int64(attempt)),
      ])
    return connection.changeCount == 1
  }

  /// Sets the length of a finished file, which may be less than what arrived for it.
  static func setByteCount(
    _ byteCount: Int64, of number: Int64, in connection: borrowing Connection
  ) throws {
    try connection.run(
      "UPDATE item SET byte_count = ?, expected = ? WHERE id = ?",
      [.integer(byteCount), .integer(byteCount), .integer(number)])
  }

  /// Whether the worker that has `attempt` still has the item.
  static func has(
    _ number: Int64, attempt: Int, in connection: borrowing Connection
  ) throws -> Bool {
    try !connection.rows(
      "SELECT 1 FROM item WHERE id = ? AND attempt = ?",
      [.integer(number), .integer(Int64(attempt))]
    ).isEmpty
  }

  /// An item as a run of the queue sees it.
  struct Entry: Sendable {
    /// What the order has to know.
    var entry: QueueOrder.Entry
    var state: ItemState
    /// Whether something has to be given again.
    var needs: Bool
    var owner: String?
    /// How often a worker took it, or a command changed it.
    var attempt: Int64
  }

  /// The items that wait and those that run, but for those whose rows are damaged.
  static func entries(in connection: borrowing Connection) throws -> [Entry] {
    let statement = try connection.prepare(
      """
      SELECT id, host, path, not_before, state, needs <> '', owner, attempt FROM item
      WHERE state IN ('waiting', 'preparing', 'transferring', 'verifying', 'packaging') ORDER BY id
      """)
    var entries: [Entry] = []
    while try statement.step() {
      let path = statement.text(2)
      guard let id = statement.integer(0), let state = statement.text(4).flatMap(ItemState.init),
        !isDamaged(state: state, path: path, attempt: statement.integer(7))
      else { continue }
      let entry = QueueOrder.Entry(
        id: id, host: statement.text(1), target: path, notBefore: moment(statement.integer(3)))
      entries.append(
        Entry(
          entry: entry, state: state, needs: statement.integer(5) == 1, owner: statement.text(6),
          attempt: statement.integer(7) ?? 0))
    }
    return entries
  }

  // MARK: - Folders

  /// The folders above `path` that were made for downloads, the innermost first, up to the first that was not.
  static func madeFolders(
    above path: String, in connection: borrowing Connection
  ) throws -> [String] {
    let statement = try connection.prepare("SELECT 1 FROM made_folder WHERE path = ?")
    var folders: [String] = []
    var folder = AtomicFile.folder(of: path)
    while folder != "/", folder != "." {
      try statement.bind([.text(folder)])
      guard try statement.step() else { break }
      folders.append(folder)
      folder = AtomicFile.folder(of: folder)
    }
    return folders
  }

  /// All folders that were made for downloads.
  static func madeFolders(in connection: borrowing Connection) throws -> [String] {
    try connection.rows("SELECT path FROM made_folder ORDER BY path").compactMap { row in
      if case .text(let path)? = row.first, path.hasPrefix("/") { path } else { nil }
    }
  }

  /// Notes folders that a download is going to make.
  static func note(folders: [String], in connection: borrowing Connection) throws {
    for folder in folders {
      try connection.run("INSERT OR IGNORE INTO made_folder VALUES (?)", [.text(folder)])
    }
  }

  static func forget(folders: [String], in connection: borrowing Connection) throws {
    for folder in folders {
      try connection.run("DELETE FROM made_folder WHERE path = ?", [.text(folder)])
    }
  }

  // MARK: - Settings

  /// How many items run at once; `nil` when nobody said.
  static func limit(in connection: borrowing Connection) throws -> Int? {
    let rows = try connection.rows("SELECT value FROM queue_setting WHERE name = 'limit'")
    guard case .integer(let value)? = rows.first?.first, value > 0 else { return nil }
    return Int(clamping: value)
  }

  static func setLimit(_ limit: Int, in connection: borrowing Connection) throws {
    try connection.run(
      "INSERT OR REPLACE INTO queue_setting VALUES ('limit', ?)", [.integer(Int64(limit))])
  }
}
