import SiloContract
import SiloStore
import Synchronization

extension AccountBook {
  /// The profiles of an account, the first one first.
  func profiles(of account: Int64) async throws -> [StoredProfile] {
    try await store.read { connection in
      try connection.rows(
        """
        SELECT \(StoredProfile.columns) FROM profile WHERE account_id = ?
        ORDER BY is_primary DESC, created_at, rowid
        """, [.integer(account)]
      ).compactMap(StoredProfile.init)
    }
  }

  /// Makes a profile, or changes the one of that name when `isReplacing`.
  func setProfile(
    _ request: ProfileRequest, of account: Int64, isReplacing: Bool
  ) async throws -> StoredProfile {
    guard !request.name.isEmpty, request.name.count <= 100, !request.name.contains("\u{0}") else {
      throw Refusal.badRequest("name is required")
    }
    if let pin = request.pin, !(4...32).contains(pin.utf8.count) {
      throw Refusal.badRequest("A PIN has 4 characters or more")
    }
    let pin: PasswordHash? =
      if let pin = request.pin { try await desk.hash(pin) } else { nil }
    let now = now()
    return try await store.write { connection in
      let known = try connection.rows(
        "SELECT id FROM profile WHERE account_id = ? AND name = ?",
        [.integer(account), .text(request.name)])
      let id: String
      if case .text(let text)? = known.first?.first {
        guard isReplacing else {
          throw Refusal(409, .nameConflict, "There is a profile of this name")
        }
        id = text
        try connection.run(
          "UPDATE profile SET pin = ?, max_quality = ? WHERE id = ?",
          [StoreValue(pin?.text), StoreValue(request.maximumPlaybackQuality), .text(id)])
        try connection.run("DELETE FROM profile_token WHERE profile_id = ?", [.text(id)])
      } else {
        id = try Self.insertProfile(
          request, pin: pin, of: account, isPrimary: false, now, in: connection)
      }
      guard let profile = try StoredProfile.of(account, id: id, in: connection) else {
        throw Refusal.internalError
      }
      return profile
    }
  }

  /// Tries a PIN.
  func verify(_ pin: String, of id: String, account: Int64) async throws -> PINCheck {
    let profile = try await store.read { try StoredProfile.of(account, id: id, in: $0) }
    guard let profile else { throw Refusal(404, .notFound, "Profile not found") }
    let (now, lifetime) = (now(), lifetimes.profile)
    if let hash = profile.pin {
      let key = "pin " + id
      try beginAttempt(key)
      guard try await desk.check(pin, against: hash) else { return PINCheck(isValid: false) }
      attempts.withLock { $0.succeed(key) }
    }
    let token = Secret.make()
    let fingerprint = try Secret.fingerprint(token)
    try await store.write { connection in
      try connection.run(
        "INSERT INTO profile_token (fingerprint, profile_id, expires_at) VALUES (?, ?, ?)",
        [.blob(fingerprint), .text(id), .integer(now + lifetime)])
    }
    return PINCheck(
      isValid: true, profileToken: token, expiresAt: Timestamp(seconds: now + lifetime))
  }

  @discardableResult
  static func insertProfile(
    _ request: ProfileRequest, pin: PasswordHash?, of account: Int64, isPrimary: Bool, _ now: Int64,
    in connection: borrowing Connection
  ) throws -> String {
    let id = Secret.identifier()
    try connection.run(
      """
      INSERT INTO profile (id, account_id, name, pin, is_primary, max_quality, created_at)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .text(id), .integer(account), .text(request.name), StoreValue(pin?.text),
        StoreValue(isPrimary), StoreValue(request.maximumPlaybackQuality), .integer(now),
      ])
    return id
  }
}
