import SiloContract

/// Who asks, and for whom: every authenticated route asks here first.
struct Viewer: Sendable {
  /// The account, and how it came in.
  var caller: Caller
  /// The profile that was named; `nil` when none was.
  var profile: StoredProfile?
  /// The device that was named; its presence asks for rows of that device.
  ///
  /// Never taken from a body or a query.
  var deviceID: String?

  /// The account's number.
  var account: Int64 { caller.account.id }
}

/// Lets requests in.
struct Gate: Sendable {
  let book: AccountBook

  /// The account behind a request.
  ///
  /// - Throws: `Refusal`, 401.
  func caller(_ request: ServerRequest) async throws -> Caller {
    guard let secret = Self.secret(request), let caller = try await book.caller(with: secret) else {
      throw Refusal.unauthorized
    }
    return caller
  }

  /// The account, the profile and the device behind a request.
  ///
  /// - Throws: `Refusal`: 401; 404 for a profile that the account does not have; 403 `profile_unverified`.
  func viewer(_ request: ServerRequest) async throws -> Viewer {
    var viewer = Viewer(caller: try await caller(request))
    if let id = request.text("X-Profile-Id") {
      viewer.profile = try await book.profile(
        id, token: request.text("X-Profile-Token"), of: viewer.caller)
    }
    if let device = request.text("X-Silo-Device-Id") {
      guard device.utf8.count <= 255 else {
        throw Refusal.badRequest("X-Silo-Device-Id is too long")
      }
      viewer.deviceID = device
    }
    return viewer
  }

  /// The token of a request, from its header or else its query.
  static func secret(_ request: ServerRequest) -> String? {
    if let field = request.text("Authorization") {
      let words = field.split(separator: " ", maxSplits: 1)
      guard words.count == 2, words[0].lowercased() == "bearer" else { return nil }
      return String(Substring(words[1]).trimmed)
    }
    return request.argument("token").flatMap { $0.isEmpty ? nil : $0 }
  }
}
