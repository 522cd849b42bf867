import SiloContract
import SiloSystem
import Synchronization

/// Gives the refresh token for new tokens, unless another process did that meanwhile.
struct TokenRenewal: Sendable {
  let file: CredentialFile
  let address: SiloAddress
  /// Whose tokens these are: those of somebody else who signed in meanwhile are never used in their place.
  let username: String?
  let options: HTTPOptions

  /// The access token to use in place of `refused`; it is stored when this returns.
  ///
  /// - Throws: `DownloadError.auth` when the server gives no other; `space` or `config` when none could be stored, and then the
  ///   server is not asked. The sign-in in the file stays.
  func next(after refused: String) async throws -> String {
    let lock = try await file.hold()
    defer { lock.release() }
    guard let account = try await file.read(), account.url == address.description,
      account.username == username, case .tokens(let access, let refresh) = account.credential
    else { throw ended }
    // Somebody else was faster: the old refresh token is worth nothing any more, and these are the new ones.
    if access != refused { return access }
    guard let refresh else { throw ended }
    // The server keeps neither old token: what could not be stored would be lost, and the sign-in with it.
    try await file.replace(account, under: lock)
    let tokens = try await exchange(refresh)
    var renewed = account
    renewed.credential = .tokens(
      access: tokens.accessToken, refresh: tokens.refreshToken ?? refresh)
    try await file.replace(renewed, under: lock)
    return tokens.accessToken
  }

  private func exchange(_ refresh: String) async throws -> Tokens {
    var plain = options
    (plain.userHeaders, plain.credentialOrigin, plain.renewAuthorization) = ([], nil, nil)
    // Sent twice, the second one would be taken for a thief's.
    plain.attempts = 1
    let calls = SiloCalls(address: address, client: HTTPClient(plain))
    do {
      return try await calls.call(
        "POST", "auth/refresh", sending: RefreshRequest(refreshToken: refresh))
    } catch let error as DownloadError where error.code != .temporary {
      throw ended
    }
  }

  private var ended: DownloadError {
    DownloadError(
      .auth, "The sign-in has ended. Sign in again.", subject: address.description, status: 401)
  }
}

/// The access token that is in use.
final class BearerMemory: Sendable {
  private let token: Mutex<String>

  init(_ token: String) { self.token = Mutex(token) }

  var value: String {
    get { token.withLock { $0 } }
    set { token.withLock { $0 = newValue } }
  }
}
