import SiloContract
import SiloStore
import SiloSystem
import Synchronization

/// Who may come in: accounts, profiles, keys and tokens.
final class AccountBook: Sendable {
  /// How long what a sign-in brings holds, in seconds.
  struct Lifetimes: Sendable {
    var access: Int64 = 24 * 3600
    var refresh: Int64 = 30 * 24 * 3600
    var profile: Int64 = 24 * 3600
    var deviceCode: Int64 = 600
  }

  let store: ServerStore
  let desk: PasswordDesk
  let now: @Sendable () -> Int64
  let lifetimes: Lifetimes
  /// Vain sign-ins by name, PINs by profile, codes by account.
  let attempts = Mutex(AttemptLimit(most: 10, windowSeconds: 60))

  init(
    store: ServerStore, now: @escaping @Sendable () -> Int64, lifetimes: Lifetimes = Lifetimes()
  ) throws {
    self.store = store
    self.now = now
    self.lifetimes = lifetimes
    desk = try PasswordDesk()
  }

  /// The id that this server keeps for ever.
  func serverID() async throws -> String {
    try await store.write { connection in
      let rows = try connection.rows("SELECT id FROM server")
      if case .text(let id)? = rows.first?.first { return id }
      let id = Secret.identifier()
      try connection.run("INSERT INTO server (id) VALUES (?)", [.text(id)])
      return id
    }
  }

  /// Makes the account called `name`, or gives it another password, which ends its sign-ins.
  ///
  /// The first account of a server is its administrator's. A `nil` password is one that nobody can give.
  @discardableResult
  func setAccount(_ name: String, password: String?) async throws -> StoredAccount {
    let hash: PasswordHash? =
      if let password { try await desk.hash(password) } else { nil }
    let now = now()
    return try await store.write { connection in
      if let known = try StoredAccount.named(name, in: connection) {
        try connection.run(
          "UPDATE account SET password = ? WHERE id = ?",
          [StoreValue(hash?.text), .integer(known.id)])
        try connection.run("DELETE FROM session WHERE account_id = ?", [.integer(known.id)])
        // A device that was let in under the old one, and has not heard of it yet.
        try connection.run("DELETE FROM device_code WHERE account_id = ?", [.integer(known.id)])
        return known
      }
      let id = try Self.insertAccount(name, password: hash, now, in: connection)
      guard let account = try StoredAccount.numbered(id, in: connection) else {
        throw Refusal.internalError
      }
      return account
    }
  }

  private static func insertAccount(
    _ name: String, password: PasswordHash?, _ now: Int64, in connection: borrowing Connection
  ) throws -> Int64 {
    let isFirst = try connection.rows("SELECT 1 FROM account LIMIT 1").isEmpty
    try connection.run(
      "INSERT INTO account (name, password, role, created_at) VALUES (?, ?, ?, ?)",
      [
        .text(name), StoreValue(password?.text), .text(isFirst ? "admin" : "user"), .integer(now),
      ])
    let id = connection.lastInsertedRow
    try insertProfile(
      ProfileRequest(name: name), pin: nil, of: id, isPrimary: true, now, in: connection)
    return id
  }

  /// Whether no account has a password or a key: there is none, or a start ended before it had made the key.
  func isClosedToAll() async throws -> Bool {
    try await store.read { connection in
      try connection.rows(
        """
        SELECT 1 FROM account WHERE password IS NOT NULL
        UNION ALL SELECT 1 FROM api_key LIMIT 1
        """
      ).isEmpty
    }
  }

  /// Makes the first account, unless it is there, and its key, both or none.
  func makeFirstAccount(_ name: String, key: String) async throws {
    let (fingerprint, now) = (try Secret.fingerprint(key), now())
    try await store.write { connection in
      let first = try connection.rows("SELECT id FROM account ORDER BY id LIMIT 1").first?.first
      let account: Int64 =
        if case .integer(let id)? = first { id } else {
          try Self.insertAccount(name, password: nil, now, in: connection)
        }
      try Self.insertKey("first start", fingerprint, of: account, now, in: connection)
    }
  }

  /// The account with the name.
  func account(_ name: String) async throws -> StoredAccount? {
    try await store.read { try StoredAccount.named(name, in: $0) }
  }

  /// Counts an attempt at `key`, and refuses it when there were too many.
  func beginAttempt(_ key: String) throws {
    let now = now()
    let wait = attempts.withLock { limit -> Int64? in
      if let wait = limit.wait(for: key, at: now) { return wait }
      limit.begin(key, at: now)
      return nil
    }
    guard let wait else { return }
    throw Refusal(
      429, .tooManyAttempts, "Too many attempts; try again in \(wait) s.",
      headers: [HeaderField("Retry-After", String(wait))])
  }
}
