import CSQLite

/// One connection to one SQLite database, owned by one actor or one function.
///
/// SQLite's own mutexes are off (SQLITE_OPEN_NOMUTEX): whoever owns the connection calls it from one thread at a
/// time. Statements may outlive it.
package struct Connection: ~Copyable {
  /// What may be done with the file.
  package enum Mode: Hashable, Sendable {
    /// Read; the file has to be there.
    case readOnly
    /// Read and write; the file has to be there.
    case readWrite
    /// Read and write; made when it is not there.
    case create
  }

  /// How a transaction is undone after a crash (PRAGMA journal_mode).
  package enum Journal: String, Hashable, Sendable {
    /// A write-ahead log: readers and a writer side by side.
    case wal
    /// A rollback journal that is removed by every commit: one file when nothing runs.
    case delete
    /// A rollback journal that is emptied by every commit.
    case truncate
    /// Whatever the file has.
    case asStored
  }

  /// When SQLite waits for the disk (PRAGMA synchronous).
  package enum Synchronous: Int, Hashable, Sendable {
    /// Never: safe when the process is killed, not when the power goes.
    case off = 0
    /// At checkpoints: with WAL, power loss may undo the last commits and never damages the file.
    case normal = 1
    /// At every commit.
    case full = 2
  }

  private let raw: OpaquePointer

  private init(adopting raw: OpaquePointer) { self.raw = raw }

  deinit { sqlite3_close_v2(raw) }

  /// Opens the database at `path` and reads its header, so that a file that is no database fails here.
  ///
  /// A lock held elsewhere is waited for up to `busyTimeout`; then the call that met it throws `busy`.
  package static func open(
    _ path: String, mode: Mode = .create, journal: Journal = .wal,
    synchronous: Synchronous = .normal, busyTimeout: Duration = .seconds(5)
  ) throws(StoreError) -> Connection {
    var raw: OpaquePointer?
    let access =
      switch mode {
      case .readOnly: SQLITE_OPEN_READONLY
      case .readWrite: SQLITE_OPEN_READWRITE
      case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      }
    let flags = access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = sqlite3_open_v2(path, &raw, flags, nil)
    guard code == SQLITE_OK, let raw else {
      // A failed open leaves a handle that holds the message and has to be closed all the same.
      let error = StoreError(of: raw, code, sql: nil, path: path)
      sqlite3_close_v2(raw)
      throw error
    }
    let connection = Connection(adopting: raw)
    let (seconds, attoseconds) = busyTimeout.components
    let milliseconds = min(seconds, 1_000_000) * 1000 + attoseconds / 1_000_000_000_000_000
    sqlite3_busy_timeout(raw, Int32(clamping: milliseconds))
    if mode != .readOnly, journal == .wal { try WriteAheadLog(of: path).checkIndex() }
    if mode != .readOnly, journal != .asStored {
      try connection.execute("PRAGMA journal_mode = \(journal.rawValue)")
    }
    try connection.execute("PRAGMA synchronous = \(synchronous.rawValue)")
    try connection.execute("PRAGMA foreign_keys = ON")
    try connection.execute("SELECT count(*) FROM sqlite_schema")
    return connection
  }

  /// Runs every statement of `sql`; rows are thrown away.
  package func execute(_ sql: String) throws(StoreError) {
    let code = sqlite3_exec(raw, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw StoreError(of: raw, code, sql: sql) }
  }

  /// Compiles one statement, to be kept and used again.
  package func prepare(_ sql: String) throws(StoreError) -> Statement {
    try Statement.prepare(sql, on: raw)
  }

  /// Compiles one statement, binds `values` and runs it to its end.
  package func run(_ sql: String, _ values: [StoreValue] = []) throws(StoreError) {
    let statement = try prepare(sql)
    try statement.run(values)
  }

  /// All rows of a small result.
  package func rows(
    _ sql: String, _ values: [StoreValue] = []
  ) throws(StoreError) -> [[StoreValue]] {
    let statement = try prepare(sql)
    try statement.bind(values)
    var rows: [[StoreValue]] = []
    while try statement.step() { rows.append(statement.row) }
    return rows
  }

  /// Runs `body` as one unit: committed when it returns, undone when it throws.
  ///
  /// The write lock is taken at once (BEGIN IMMEDIATE), so that `busy` comes before any work. It does not nest.
  package func transaction<Result, Failure: Error>(
    _ body: (borrowing Connection) throws(Failure) -> Result
  ) throws -> Result {
    try execute("BEGIN IMMEDIATE")
    do {
      let result = try body(self)
      try execute("COMMIT")
      return result
    } catch {
      // After a full disk or an I/O error SQLite may have rolled back by itself already.
      if sqlite3_get_autocommit(raw) == 0 { try? execute("ROLLBACK") }
      throw error
    }
  }

  /// Rows changed by the last INSERT, UPDATE or DELETE.
  package var changeCount: Int64 { sqlite3_changes64(raw) }

  /// The row id of the last INSERT.
  package var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(raw) }
}
