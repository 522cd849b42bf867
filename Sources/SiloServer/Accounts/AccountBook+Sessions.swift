import SiloContract
import SiloStore
import Synchronization

extension AccountBook {
  /// Signs an account in by its password.
  ///
  /// A wrong password costs what an unknown name costs, and is told in the same words.
  func signIn(_ request: LoginRequest) async throws -> Tokens {
    guard !request.username.isEmpty, !request.password.isEmpty else {
      throw Refusal.badRequest("username and password are required")
    }
    let account = try await account(request.username, password: request.password)
    let (now, lifetimes) = (now(), lifetimes)
    return try await store.write { connection in
      try Self.removeExpired(now, in: connection)
      return try Self.begin(account, now, lifetimes, in: connection)
    }
  }

  /// The account of that name and password.
  ///
  /// - Throws: `Refusal`: 401 `invalid_credentials`; 429 after too many vain attempts at the name.
  func account(_ name: String, password: String) async throws -> StoredAccount {
    let key = "login " + name.lowercased().prefix(200)
    try beginAttempt(key)
    let account = try await account(name)
    guard try await desk.check(password, against: account?.password), let account else {
      throw Refusal(401, .invalidCredentials, "Invalid username or password")
    }
    attempts.withLock { $0.succeed(key) }
    return account
  }

  /// Gives new tokens for a refresh token, which is used up.
  ///
  /// One that is given a second time was stolen or copied: everything that came of that sign-in ends.
  func refresh(_ request: RefreshRequest) async throws -> Tokens {
    let fingerprint = try Secret.fingerprint(request.refreshToken)
    let (now, lifetimes) = (now(), lifetimes)
    let tokens: Tokens? = try await store.write { connection in
      let rows = try connection.rows(
        """
        SELECT session_id, expires_at, was_used FROM token WHERE fingerprint = ? AND kind = 'refresh'
        """, [.blob(fingerprint)])
      guard let row = rows.first, case .integer(let session) = row[0],
        case .integer(let expiry) = row[1], case .integer(let wasUsed) = row[2]
      else { return nil }
      guard wasUsed == 0 else {
        try connection.run("DELETE FROM session WHERE id = ?", [.integer(session)])
        return nil
      }
      guard expiry > now else { return nil }
      try connection.run(
        "UPDATE token SET was_used = 1 WHERE fingerprint = ?", [.blob(fingerprint)])
      return try Self.issue(session, now, lifetimes, account: nil, in: connection)
    }
    guard let tokens else {
      throw Refusal(401, .unauthorized, "The refresh token is not valid; sign in again")
    }
    return tokens
  }

  /// Ends a sign-in.
  func signOut(_ session: Int64) async throws {
    try await store.write { connection in
      try connection.run("DELETE FROM session WHERE id = ?", [.integer(session)])
    }
  }

  static func begin(
    _ account: StoredAccount, _ now: Int64, _ lifetimes: Lifetimes,
    in connection: borrowing Connection
  ) throws -> Tokens {
    try connection.run(
      "INSERT INTO session (account_id, created_at) VALUES (?, ?)",
      [.integer(account.id), .integer(now)])
    return try issue(connection.lastInsertedRow, now, lifetimes, account: account, in: connection)
  }

  private static func issue(
    _ session: Int64, _ now: Int64, _ lifetimes: Lifetimes, account: StoredAccount?,
    in connection: borrowing Connection
  ) throws -> Tokens {
    let (access, refresh) = (Secret.make(), Secret.make())
    let insert = try connection.prepare(
      "INSERT INTO token (fingerprint, session_id, kind, expires_at) VALUES (?, ?, ?, ?)")
    try insert.run([
      .blob(try Secret.fingerprint(access)), .integer(session), "access",
      .integer(now + lifetimes.access),
    ])
    try insert.run([
      .blob(try Secret.fingerprint(refresh)), .integer(session), "refresh",
      .integer(now + lifetimes.refresh),
    ])
    return Tokens(
      accessToken: access, refreshToken: refresh, expiresInSeconds: Int(lifetimes.access),
      user: account?.account(mayDownload: true))
  }

  private static func removeExpired(_ now: Int64, in connection: borrowing Connection) throws {
    try connection.run("DELETE FROM token WHERE expires_at <= ?", [.integer(now)])
    try connection.run("DELETE FROM profile_token WHERE expires_at <= ?", [.integer(now)])
    try connection.run("DELETE FROM session WHERE id NOT IN (SELECT session_id FROM token)")
  }
}

extension StoredAccount {
  /// As the contract has it.
  func account(mayDownload: Bool) -> Account {
    var account = Account(id: AccountID(id), username: name, role: role)
    account.isDownloadAllowed = mayDownload
    return account
  }
}
