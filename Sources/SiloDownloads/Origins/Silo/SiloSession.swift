import SiloContract
import SiloSystem

/// Speaks to the server that is signed in to, and keeps the sign-in alive.
///
/// A refused access token is renewed once for all requests of the session, and once for all processes: the new tokens are in
/// the file before any of them is used, since the old ones are worth nothing from then on.
package struct SiloSession: Sendable {
  /// Who asks.
  package let account: SiloAccount
  /// The server.
  package let address: SiloAddress
  let calls: SiloCalls
  /// How requests to the server are made: with the credential, and with the device and profile that it is for.
  let options: HTTPOptions

  /// A session of the sign-in in `file`.
  ///
  /// - Parameter options: Proxy, certificates and the like; their credentials are not used.
  /// - Throws: `DownloadError.auth` when nobody is signed in.
  package static func open(_ file: CredentialFile, _ options: HTTPOptions) async throws
    -> SiloSession
  {
    guard let account = try await file.read() else {
      throw DownloadError(.auth, "Nobody is signed in. Sign in with: silo-fetch login URL")
    }
    return try SiloSession(account, file, options)
  }

  /// - Parameter file: Where new tokens are stored; `nil` renews none.
  init(_ account: SiloAccount, _ file: CredentialFile?, _ options: HTTPOptions) throws {
    self.account = account
    address = try SiloAddress(account.url)
    var own = options
    own.credentialOrigin = address.root
    own.usesNetrc = false
    own.netrcFile = nil
    own.userHeaders =
      [HTTPHeader("Authorization", "Bearer \(account.credential.bearer)")] + account.headers
    if let file, case .tokens = account.credential {
      let renewal = TokenRenewal(file: file, address: address, options: options)
      let first = BearerMemory(account.credential.bearer)
      own.renewAuthorization = {
        let next = try await renewal.next(after: first.value)
        first.value = next
        return "Bearer \(next)"
      }
    }
    self.options = own
    calls = SiloCalls(address: address, client: HTTPClient(own))
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
