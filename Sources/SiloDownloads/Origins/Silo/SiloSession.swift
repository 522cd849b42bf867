import SiloContract
import SiloSystem

/// Speaks to the server that is signed in to, and keeps the sign-in alive.
///
/// A refused access token is renewed once for all requests of the session, and once for all processes: the new tokens are in
/// the file before any of them is used, since the old ones are worth nothing from then on.
public struct SiloSession: Sendable {
  /// Who asks.
  package let account: SiloAccount
  /// The server.
  package let address: SiloAddress
  let calls: SiloCalls
  private let file: CredentialFile?
  private let plain: HTTPOptions

  /// A session of the sign-in in `file`.
  ///
  /// What the outbox has for the server is sent first.
  ///
  /// - Parameters:
  ///   - options: Proxy, certificates and the like; their credentials are not used.
  ///   - warn: Told what the user should know.
  /// - Throws: `DownloadError.auth` when nobody is signed in.
  public static func open(
    _ file: CredentialFile, _ options: HTTPOptions, warn: (String) -> Void = { _ in }
  ) async throws -> SiloSession {
    guard let account = try await file.read() else {
      throw DownloadError.nobodySignedIn()
    }
    let session = try SiloSession(account, file, options)
    await Outbox().send(session, warn: warn)
    return session
  }

  /// - Parameter file: Where new tokens are stored; `nil` renews none.
  init(_ account: SiloAccount, _ file: CredentialFile?, _ options: HTTPOptions) throws {
    (self.account, self.file, plain) = (account, file, options)
    address = try SiloAddress(account.url)
    calls = SiloCalls(
      address: address,
      client: HTTPClient(Self.options(account, file, address, options)))
  }

  /// How requests to the server are made: with the credential, and with the device and profile that it is for.
  ///
  /// For one client: each begins with the same token, and knows for itself which one was refused to it.
  var options: HTTPOptions { Self.options(account, file, address, plain) }

  private static func options(
    _ account: SiloAccount, _ file: CredentialFile?, _ address: SiloAddress, _ plain: HTTPOptions
  ) -> HTTPOptions {
    var own = plain
    own.credentialOrigin = address.root
    own.usesNetrc = false
    own.netrcFile = nil
    own.userHeaders =
      [HTTPHeader("Authorization", "Bearer \(account.credential.bearer)")] + account.headers
    guard let file, case .tokens = account.credential else { return own }
    let renewal = TokenRenewal(
      file: file, address: address, username: account.username, options: plain)
    let first = BearerMemory(account.credential.bearer)
    own.renewAuthorization = {
      let next = try await renewal.next(after: first.value)
      first.value = next
      return "Bearer \(next)"
    }
    return own
  }

  /// The same for calls that nothing depends on: it gives up at the first failure, and soon.
  ///
  /// - Parameter device: The installation whose rows it speaks of.
  func brief(device: String) throws -> SiloSession {
    var (account, options) = (account, plain)
    account.deviceID = device
    (options.attempts, options.stallTime) = (1, .seconds(5))
    options.retrying = nil
    return try SiloSession(account, file, options)
  }

  /// The same with one attempt for each call.
  func once() throws -> SiloSession {
    var options = plain
    options.attempts = 1
    return try SiloSession(account, file, options)
  }

  /// What the server offers this account (spec, section 3).
  func capability() async throws -> Capability {
    try await calls.call("GET", "downloads/capability")
  }

  /// The account as the server sees it.
  func me() async throws -> Account { try await calls.call("GET", "auth/me") }

  /// Ends the sign-in at the server.
  package func logOut() async throws {
    guard case .tokens(_, let refresh) = account.credential else { return }
    try await calls.tell(
      "POST", "auth/logout", sending: refresh.map { RefreshRequest(refreshToken: $0) })
  }
}

extension DownloadError {
  /// How `login` is told to prove who asks.
  package static let waysToSignIn = "--username NAME, --api-key-stdin or --device"

  /// Nobody is signed in to a server.
  package static func nobodySignedIn(subject: String? = nil) -> DownloadError {
    DownloadError(
      .auth, "Nobody is signed in. Sign in with silo-fetch login URL and \(waysToSignIn).",
      subject: subject)
  }
}
