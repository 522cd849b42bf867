import Foundation
import SiloStore
import SiloSystem

/// The database of one user's program: `state.sqlite` in its home folder.
struct StateStore: Sendable {
  /// The database.
  let path: String
  /// What was set aside since somebody asked.
  let damage = StateDamage()

  /// The database in `home`.
  init(home: URL = Self.home) { path = home.appending(path: "state.sqlite").path }

  /// `SILO_FETCH_HOME`, else `$XDG_DATA_HOME/silo-fetch`, else `~/.local/share/silo-fetch`.
  static var home: URL {
    let environment = ProcessInfo.processInfo.environment
    if let home = environment["SILO_FETCH_HOME"], !home.isEmpty {
      return URL(filePath: home, directoryHint: .isDirectory)
    }
    if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") {
      return URL(filePath: data, directoryHint: .isDirectory).appending(path: "silo-fetch")
    }
    // What the user set comes before what the system knows of him.
    let own = environment["HOME"].flatMap { $0.hasPrefix("/") ? URL(filePath: $0) : nil }
    return (own ?? FileManager.default.homeDirectoryForCurrentUser).appending(
      path: ".local/share/silo-fetch")
  }

  /// Reads from the database; `nil` when there is none yet.
  ///
  /// - Throws: `DownloadError.config` for one that cannot be reached: what it holds is not known then.
  func read<Result: Sendable>(
    _ body: @escaping @Sendable (borrowing Connection) throws -> Result
  ) async throws -> Result? {
    try await onOwnThread(named: "state") { _ -> Result? in
      guard try isThere() else { return nil }
      return try healing(body)
    }
  }

  private func isThere() throws -> Bool {
    var facts = stat()
    if stat(path, &facts) == 0 { return true }
    let number = errno
    let folder = AtomicFile.folder(of: path)
    // A link that leads nowhere is no place where nothing was written yet.
    let isLink = [path, folder].contains { (name: String) -> Bool in
      lstat(name, &facts) == 0 && stat(name, &facts) != 0
    }
    if number == ENOENT, !isLink { return false }
    throw DownloadError(
      .config,
      "The state of queue and library cannot be reached (\(SystemCallError.reason(number))); SILO_FETCH_HOME names its folder.",
      subject: Redaction.printable(path))
  }

  /// Changes the database, which is made when there is none.
  func write<Result: Sendable>(
    _ body: @escaping @Sendable (borrowing Connection) throws -> Result
  ) async throws -> Result {
    try await onOwnThread(named: "state") { _ in
      try FileManager.default.createDirectory(
        atPath: AtomicFile.folder(of: path), withIntermediateDirectories: true)
      return try healing { try $0.transaction { try body($0) } }
    }
  }

  /// What changes whenever somebody, of whatever process, has changed the database.
  var stamp: [Int64] {
    [path, path + "-wal"].flatMap { name -> [Int64] in
      var facts = stat()
      guard stat(name, &facts) == 0 else { return [0, 0, 0] }
      return [Int64(facts.st_size), Int64(facts.st_mtim.tv_sec), Int64(facts.st_mtim.tv_nsec)]
    }
  }

  /// Does `body`; a database that is damaged is set aside for a new one, since no rerun would ever mend it.
  private func healing<Result>(_ body: (borrowing Connection) throws -> Result) throws -> Result {
    let file = StateDamage.number(of: path)
    do {
      let connection = try open()
      return try body(connection)
    } catch let error as StoreError where error.isDamage {
      guard let file, try damage.setAside(path, file: file) else { throw error }
      let connection = try open()
      return try body(connection)
    }
  }

  /// All steps of its history, in order.
  static let migrations = [
    FinishedFileTable.migration, FirstSegmentTable.migration, SourceLookTable.migration,
    UnfinishedFileTable.migration, ItemTable.migration, SidecarTable.migration,
    ManagedItemTable.migration, FileOwnerTable.migration, KnownTitleTable.migration,
  ]

  private func open() throws -> Connection {
    // Names of what somebody watches are nobody else's business.
    if !FileManager.default.fileExists(atPath: path) {
      try OwnedDescriptor.open(path, .create, permissions: 0o600).close()
    }
    let connection = try Connection.open(path)
    try connection.migrate(Self.migrations)
    return connection
  }
}
