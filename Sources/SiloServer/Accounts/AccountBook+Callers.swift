import SiloContract
import SiloStore

/// Who makes a request.
struct Caller: Sendable {
  /// How the request was let in.
  enum Way: Sendable, Hashable {
    /// By a token of this sign-in.
    case session(Int64)
    /// By a key that never ends by itself.
    case key
  }

  /// The account.
  var account: StoredAccount
  /// How it came in.
  var way: Way
}

extension AccountBook {
  /// Whose token or key this is; `nil` for one that is not known, or not any more.
  func caller(with secret: String) async throws -> Caller? {
    guard (8...512).contains(secret.utf8.count) else { return nil }
    let fingerprint = try Secret.fingerprint(secret)
    let now = now()
    return try await store.read { connection in
      if secret.hasPrefix("sa_") {
        let rows = try connection.rows(
          "SELECT account_id FROM api_key WHERE fingerprint = ?", [.blob(fingerprint)])
        guard case .integer(let id)? = rows.first?.first else { return nil }
        return try StoredAccount.numbered(id, in: connection).map { Caller(account: $0, way: .key) }
      }
      let rows = try connection.rows(
        """
        SELECT session.account_id, session.id FROM token JOIN session ON session.id = token.session_id
        WHERE fingerprint = ? AND kind = 'access' AND expires_at > ?
        """, [.blob(fingerprint), .integer(now)])
      guard let row = rows.first, case .integer(let id) = row[0],
        case .integer(let session) = row[1]
      else { return nil }
      return try StoredAccount.numbered(id, in: connection).map {
        Caller(account: $0, way: .session(session))
      }
    }
  }

  /// The profile that a request names, when its PIN was given or a key stands for it.
  func profile(_ id: String, token: String?, of caller: Caller) async throws -> StoredProfile {
    let fingerprint = try token.map(Secret.fingerprint)
    let (account, now) = (caller.account.id, now())
    let (profile, isProven) = try await store.read { connection in
      let profile = try StoredProfile.of(account, id: id, in: connection)
      guard let fingerprint else { return (profile, false) }
      let rows = try connection.rows(
        """
        SELECT 1 FROM profile_token WHERE fingerprint = ? AND profile_id = ? AND expires_at > ?
        """, [.blob(fingerprint), .text(id), .integer(now)])
      return (profile, !rows.isEmpty)
    }
    guard let profile else { throw Refusal(404, .notFound, "Profile not found") }
    guard profile.pin == nil || isProven || caller.way == .key else {
      throw Refusal(403, .profileUnverified, "This profile needs its PIN")
    }
    return profile
  }
}
