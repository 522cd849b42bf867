import SiloStore
import SiloSystem

/// The server's database: accounts and registered downloads, on a thread of its own.
///
/// One at a time, whether reading or writing: so a check and what depends on it are one step.
actor ServerStore {
  private let path: String
  private nonisolated let executor: BlockingExecutor
  private var connection: Connection?

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// The database at `path`, opened when it is first used.
  init(_ path: String) throws {
    self.path = path
    executor = try BlockingExecutor(named: "server-state")
  }

  /// Reads.
  func read<Result: Sendable>(
    _ body: @Sendable (borrowing Connection) throws -> Result
  ) throws -> Result {
    try open()
    guard let result = try connection?.using(body) else { throw Self.closed }
    return result
  }

  /// Changes, as a whole or not at all.
  @discardableResult
  func write<Result: Sendable>(
    _ body: @Sendable (borrowing Connection) throws -> Result
  ) throws -> Result {
    try open()
    guard let result = try connection?.transaction(body) else { throw Self.closed }
    return result
  }

  private func open() throws {
    guard connection == nil else { return }
    // Names and hashes are nobody else's business.
    try OwnedDescriptor.open(path, .create, permissions: 0o600).close()
    let opened = try Connection.open(path, synchronous: .full)
    try opened.migrate([
      AccountTables.migration, DownloadTable.migration, DownloadTable.sourceTime,
      AccountTables.keyNumbers, AccountTables.waitingDevices,
    ])
    connection = consume opened
  }

  private static let closed = StoreError(.misuse, message: "the database is not open")
}

extension Connection {
  fileprivate func using<Result>(
    _ body: (borrowing Connection) throws -> Result
  ) rethrows -> Result {
    try body(self)
  }
}
