import Foundation
import SiloContract
import SiloSystem

/// Signs in to a server and stores that: by password, by key, or by a code that is typed elsewhere.
package struct SignIn: Sendable {
  /// How a person proves who he is.
  package enum Proof: Sendable {
    /// The account's name and its password.
    case password(username: String, password: String)
    /// A key, `sa_…`.
    case key(String)
    /// A code that is shown here and typed on another device that is signed in.
    case device
    /// What lies in the credentials file: only the profile changes.
    case stored

    var isStored: Bool { if case .stored = self { true } else { false } }
  }

  /// A code for the person to type elsewhere.
  package struct Code: Sendable {
    /// Where.
    package let url: String?
    /// What is typed.
    package let code: String
    /// What both screens show.
    package let match: String?
  }

  private let address: SiloAddress
  private let file: CredentialFile
  private let options: HTTPOptions
  private let waiting: Waiting

  /// Signs in at `address`; the sign-in goes to `file`.
  package init(
    _ address: SiloAddress, file: CredentialFile, options: HTTPOptions, waiting: Waiting = .system
  ) {
    (self.address, self.file, self.options, self.waiting) = (address, file, options, waiting)
  }

  /// What came of it.
  package struct Outcome: Sendable {
    /// What is stored now.
    package let account: SiloAccount
    /// What the user should be told: that nothing can be downloaded, that it can be read on the way.
    package let warnings: [String]
  }

  /// Signs in, chooses the profile and stores both; what was stored before is replaced only when all of it worked.
  ///
  /// - Parameters:
  ///   - profile: The name or id of a profile; `nil` for the one that was used, else the primary or the first one.
  ///   - pin: Its PIN.
  ///   - deviceName: What this machine is called on the server.
  ///   - show: Shows a code that is to be typed elsewhere.
  /// - Throws: `DownloadError.auth` when name, password, PIN or profile are wrong; what the network throws.
  package func run(
    _ proof: Proof, profile: String?, pin: String?, deviceName: String,
    show: @Sendable (Code) -> Void
  ) async throws -> Outcome {
    // A broken file is replaced by this sign-in.
    let stored = (try? await file.read()) ?? nil
    let before = stored?.url == address.description ? stored : nil
    var device = stored?.deviceID
    if device == nil { device = await file.deviceID() }
    var account = SiloAccount(
      url: address.description, username: before?.username, profile: nil,
      credential: try await credential(proof, before, deviceName, show),
      deviceID: device ?? UUID().uuidString.lowercased(), deviceName: deviceName,
      signedInAt: Date())
    // New tokens need no renewal, and the file still has those of before.
    let renewing = proof.isStored ? file : nil
    let session = try SiloSession(account, renewing, options)
    do { account.username = try await username(session, account.username) } catch let error
      as DownloadError
      where error.status == 401 && account.credential.isKey
      && !proof.isStored
    {
      throw DownloadError(
        .auth, "The server does not know this key.", subject: address.description, status: 401,
        cause: error)
    }
    account.profile = try await person(
      session, profile ?? before?.profile?.name, isAsked: profile != nil, pin)
    let capability = try await capability(SiloSession(account, renewing, options))
    let lock = try await file.hold()
    defer { lock.release() }
    if proof.isStored, let current = try await file.read() {
      account.credential = current.credential
    }
    try await file.replace(account, under: lock)
    return Outcome(account: account, warnings: warnings(capability))
  }

  /// What may be downloaded; `nil` where nobody ever heard of downloads.
  private func capability(_ session: SiloSession) async throws -> Capability? {
    do {
      return try await session.capability()
    } catch let error as DownloadError where error.code == .notFound || error.status == 503 {
      return nil
    }
  }

  private func warnings(_ capability: Capability?) -> [String] {
    var warnings: [String] = []
    if capability == nil {
      warnings.append("The server offers no downloads.")
    }
    if let capability, !capability.isEnabled {
      warnings.append("Downloads are disabled on the server.")
    } else if let capability, !capability.isAllowed {
      warnings.append("The account may not download.")
    }
    if address.isInTheClear {
      warnings.append("The address is plain http: whoever is on the way can read the sign-in.")
    }
    return warnings
  }

  private func credential(
    _ proof: Proof, _ before: SiloAccount?, _ deviceName: String, _ show: (Code) -> Void
  ) async throws -> SiloAccount.Credential {
    let calls = SiloCalls(address: address, client: HTTPClient(plainOptions))
    switch proof {
    case .stored:
      guard let before else {
        throw DownloadError(
          .auth, "Nobody is signed in there. Give \(DownloadError.waysToSignIn).",
          subject: address.description)
      }
      return before.credential
    case .key(let key): return .key(key)
    case .password(let username, let password):
      let tokens: Tokens = try await calls.call(
        "POST", "auth/login", sending: LoginRequest(username: username, password: password))
      return .tokens(access: tokens.accessToken, refresh: tokens.refreshToken)
    case .device: return try await poll(calls, deviceName, show)
    }
  }

  private var plainOptions: HTTPOptions {
    var plain = options
    (plain.userHeaders, plain.credentialOrigin, plain.renewAuthorization) = ([], nil, nil)
    return plain
  }

  private func poll(
    _ calls: SiloCalls, _ deviceName: String, _ show: (Code) -> Void
  ) async throws -> SiloAccount.Credential {
    let code: DeviceCode = try await calls.call(
      "POST", "auth/device/start",
      sending: DeviceCodeRequest(deviceName: deviceName, devicePlatform: "linux"))
    show(
      Code(
        url: code.completeURL ?? code.verificationURL, code: code.userCode, match: code.matchCode))
    var pause = Self.pause(code.intervalSeconds)
    let end = waiting.now() + .seconds(min(max(code.expiresInSeconds ?? 600, 1), 3600))
    while waiting.now() < end {
      try await waiting.sleep(pause)
      let answer: DevicePoll = try await calls.call(
        "POST", "auth/device/poll", sending: DevicePollRequest(deviceCode: code.deviceCode))
      if let tokens = answer.tokens {
        return .tokens(access: tokens.accessToken, refresh: tokens.refreshToken)
      }
      guard answer.status != .denied else {
        throw DownloadError(.auth, "The code was refused.", subject: address.description)
      }
      if answer.status == .expired || answer.status == .consumed { break }
      if let next = answer.pollAfterSeconds { pause = Self.pause(next) }
    }
    throw DownloadError(
      .auth, "Nobody typed the code in time. Try again.", subject: address.description)
  }

  private static func pause(_ seconds: Int?) -> Duration { .seconds(min(max(seconds ?? 5, 1), 60)) }

  private func username(_ session: SiloSession, _ known: String?) async throws -> String? {
    do {
      return try await session.me().username
    } catch let error as DownloadError where error.code == .notFound {
      return known
    }
  }

  private func person(
    _ session: SiloSession, _ wanted: String?, isAsked: Bool, _ pin: String?
  ) async throws -> SiloAccount.Person? {
    let list: ProfileList = try await session.calls.call("GET", "profiles")
    let choice = try ProfileChoice.choose(list.profiles, wanted: wanted, isAsked: isAsked)
    guard let profile = choice else { return nil }
    var person = SiloAccount.Person(id: profile.id, name: profile.name)
    guard profile.hasPIN == true, !session.account.credential.isKey else { return person }
    guard let pin else {
      throw DownloadError(
        .auth,
        "The profile \(Redaction.printable(profile.name)) asks for its PIN: give --pin-stdin.")
    }
    guard let id = ProfileID(profile.id) else {
      throw DownloadError(.integrity, "The server's id of the profile is none.")
    }
    let check: PINCheck = try await session.calls.call(
      "POST", "profiles/\(id)/verify-pin", sending: PINRequest(pin: pin))
    guard check.isValid else { throw DownloadError(.auth, "The PIN is wrong.") }
    person.token = check.profileToken
    return person
  }
}

extension SiloAccount.Credential {
  /// A key opens every profile without its PIN (facts: section 8).
  var isKey: Bool { if case .key = self { true } else { false } }
}

/// Which profile is meant (pure).
enum ProfileChoice {
  /// The profile by its name or id, without regard to case; without one the primary, else the first.
  ///
  /// - Parameter isAsked: Whether a person named it now: a name that was stored may have gone.
  /// - Throws: `DownloadError.auth` naming those that there are.
  static func choose(_ profiles: [Profile], wanted: String?, isAsked: Bool) throws -> Profile? {
    if let wanted {
      let folded = wanted.lowercased()
      let match =
        profiles.first { $0.name == wanted || $0.id == wanted }
        ?? profiles.first { $0.name.lowercased() == folded }
      if let match { return match }
      if isAsked {
        let names = profiles.map { Redaction.printable($0.name) }.joined(separator: ", ")
        throw DownloadError(
          .auth,
          "There is no profile \(Redaction.printable(wanted)); there are: \(names.isEmpty ? "none" : names)."
        )
      }
    }
    return profiles.first { $0.isPrimary == true } ?? profiles.first
  }
}

/// The id of a profile, in a path.
private struct ProfileID: PathSafeID {
  let text: String
  init(checked text: String) { self.text = text }
}
