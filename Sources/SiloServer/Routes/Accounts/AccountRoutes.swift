import SiloContract

/// Signing in and out, keys and profiles (facts, section 8).
struct AccountRoutes: Sendable {
  let book: AccountBook
  let gate: Gate
  /// Who may not download.
  let limits: DownloadLimits
  /// How clients reach the server: `http`, `https`.
  let scheme: String

  /// The rows of the route table.
  var routes: [Route] { signIn + devices + keys + profiles }

  private var signIn: [Route] {
    [
      Route("/api/v1/health") { _, _ in try .json(["status": "ok"]) },
      Route("POST", "/api/v1/auth/login") { request, _ in
        var tokens = try await book.signIn(request.decoded(as: LoginRequest.self))
        if let name = tokens.user?.username {
          tokens.user?.isDownloadAllowed = limits.mayDownload(name)
        }
        return try .json(tokens)
      },
      Route("POST", "/api/v1/auth/refresh") { request, _ in
        try .json(await book.refresh(request.decoded(as: RefreshRequest.self)))
      },
      Route("POST", "/api/v1/auth/logout") { request, _ in
        let caller = try await gate.caller(request)
        if case .session(let session) = caller.way { try await book.signOut(session) }
        return .noContent
      },
      Route("/api/v1/auth/me") { request, _ in
        let account = try await gate.caller(request).account
        return try .json(account.account(mayDownload: limits.mayDownload(account.name)))
      },
    ]
  }

  private var devices: [Route] {
    [
      Route("POST", "/api/v1/auth/device/start") { request, _ in
        let isEmpty = request.body.isEmpty && !request.isBodyTooLong
        let wish =
          isEmpty ? nil : try request.decoded(as: DeviceCodeRequest.self)
        let origin = request.text("Host").map { "\(scheme)://" + $0 }
        return try .json(await book.startDevice(wish, origin: origin), status: 201)
      },
      Route("POST", "/api/v1/auth/device/poll") { request, _ in
        try .json(await book.pollDevice(request.decoded(as: DevicePollRequest.self)))
      },
      Route("POST", "/api/v1/auth/device/approve") { request, _ in
        try await decide(request, isApproved: true)
      },
      Route("POST", "/api/v1/auth/device/deny") { request, _ in
        try await decide(request, isApproved: false)
      },
    ]
  }

  private func decide(_ request: ServerRequest, isApproved: Bool) async throws -> ServerResponse {
    let caller = try await gate.caller(request)
    // A key must not be able to make sign-ins that outlive it.
    guard caller.way != .key else {
      throw Refusal(403, .forbidden, "Sign in with a password to let a device in")
    }
    let decision = try request.decoded(as: DeviceDecision.self)
    guard let code = decision.code ?? decision.userCode else {
      throw Refusal.badRequest("code is required")
    }
    try await book.decideDevice(code, by: caller.account.id, isApproved: isApproved)
    return try .json(DevicePoll(isApproved ? .approved : .denied))
  }

  private var keys: [Route] {
    [
      Route("/api/v1/api-keys") { request, _ in
        let account = try await gate.caller(request).account
        return try .json(await book.keys(of: account.id))
      },
      Route("POST", "/api/v1/api-keys") { request, _ in
        let account = try await gate.caller(request).account
        let wish = try request.decoded(as: APIKeyRequest.self)
        guard let label = wish.label ?? wish.name else {
          throw Refusal.badRequest("label is required")
        }
        return try .json(
          await book.makeKey(String(label.prefix(200)), for: account.id), status: 201)
      },
      Route("DELETE", "/api/v1/api-keys/:id") { request, words in
        let account = try await gate.caller(request).account
        guard let id = words["id"]?.first.flatMap({ Int64($0) }) else {
          throw Refusal.badRequest("This is no number of a key")
        }
        guard try await book.removeKey(id, of: account.id) else {
          throw Refusal.notFound
        }
        return .noContent
      },
    ]
  }

  private var profiles: [Route] {
    [
      Route("/api/v1/profiles") { request, _ in
        let account = try await gate.caller(request).account
        return try .json(ProfileList(await book.profiles(of: account.id).map(\.profile)))
      },
      Route("POST", "/api/v1/profiles") { request, _ in
        let account = try await gate.caller(request).account
        let wish = try request.decoded(as: ProfileRequest.self)
        let profile = try await book.setProfile(wish, of: account.id, isReplacing: false)
        return try .json(profile.profile, status: 201)
      },
      Route("POST", "/api/v1/profiles/:id/verify-pin") { request, words in
        let account = try await gate.caller(request).account
        let pin = try request.decoded(as: PINRequest.self).pin
        return try .json(
          await book.verify(pin, of: words["id"]?.first ?? "", account: account.id))
      },
    ]
  }
}
