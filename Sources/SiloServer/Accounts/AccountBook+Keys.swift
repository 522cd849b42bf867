import SiloContract
import SiloStore

extension AccountBook {
  /// Makes a key for an account; this is the only time that its secret is told.
  func makeKey(_ label: String, for account: Int64) async throws -> APIKey {
    let secret = Secret.make(prefix: "sa_")
    let fingerprint = try Secret.fingerprint(secret)
    let now = now()
    let id = try await store.write { connection in
      let count = try connection.rows(
        "SELECT count(*) FROM api_key WHERE account_id = ?", [.integer(account)])
      if case .integer(let count)? = count.first?.first, count >= 1000 {
        throw Refusal.badRequest("There are too many keys; delete some")
      }
      return try Self.insertKey(label, fingerprint, of: account, now, in: connection)
    }
    return APIKey(
      id: id, of: AccountID(account), label: label, key: secret,
      createdAt: Timestamp(seconds: now))
  }

  @discardableResult
  static func insertKey(
    _ label: String, _ fingerprint: [UInt8], of account: Int64, _ now: Int64,
    in connection: borrowing Connection
  ) throws -> Int64 {
    try connection.run(
      "INSERT INTO api_key (account_id, label, fingerprint, created_at) VALUES (?, ?, ?, ?)",
      [.integer(account), .text(label), .blob(fingerprint), .integer(now)])
    return connection.lastInsertedRow
  }

  /// The keys of an account, newest first.
  func keys(of account: Int64) async throws -> [APIKey] {
    try await store.read { connection in
      try connection.rows(
        """
        SELECT id, label, created_at FROM api_key WHERE account_id = ? ORDER BY created_at DESC, id DESC
        """, [.integer(account)]
      ).compactMap { row in
        guard case .integer(let id) = row[0], case .integer(let time) = row[2] else { return nil }
        let label: String? = if case .text(let label) = row[1] { label } else { nil }
        return APIKey(
          id: id, of: AccountID(account), label: label, key: nil,
          createdAt: Timestamp(seconds: time))
      }
    }
  }

  /// Ends a key; false when the account has none such.
  func removeKey(_ id: Int64, of account: Int64) async throws -> Bool {
    try await store.write { connection in
      try connection.run(
        "DELETE FROM api_key WHERE id = ? AND account_id = ?", [.integer(id), .integer(account)])
      return connection.changeCount > 0
    }
  }
}
