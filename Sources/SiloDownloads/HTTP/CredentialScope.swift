import struct Foundation.URL
import struct Foundation.URLComponents

/// Which of the secrets at hand go along with a request to a URL.
///
/// An allow-list: what belongs to an origin is sent to that origin, and nothing is sent to any other, whether a
/// redirect led there or the URL itself is foreign.
struct CredentialScope: Sendable {
  /// A user and a password out of a URL.
  struct UserInfo: Sendable, Hashable {
    var user: String
    var password: String
  }

  /// What one request carries.
  struct Grant: Sendable, Hashable {
    var headers: [HTTPHeader] = []
    var userInfo: UserInfo?
    var usesNetrc = false
    var usesCookies = false
    /// The number of the renewable credential that goes along, or would if there were a value.
    var authorization: Int?

    /// Whether anything secret goes along; cookies are secrets only when there are some for the host.
    var isEmpty: Bool { headers.isEmpty && userInfo == nil && !usesNetrc && !usesCookies }
  }

  private let options: HTTPOptions
  private let request: HTTPRequest
  private let authorization: SharedAuthorization.Credential?

  /// - Parameter authorization: What the owner gets in place of any other Authorization, when it can be renewed.
  init(
    _ options: HTTPOptions, _ request: HTTPRequest,
    authorization: SharedAuthorization.Credential? = nil
  ) {
    self.options = options
    self.request = request
    self.authorization = authorization
  }

  /// What goes along with the request when it is sent to `url`.
  func grant(for url: URL) -> Grant {
    guard let target = Origin(url) else { return Grant() }
    let owner = options.credentialOrigin.flatMap(Origin.init)
    let isOwner = owner == target
    let isRequested = Origin(request.url) == target
    var grant = Grant()
    if isRequested { grant.headers = request.headers }
    if isOwner {
      let given = Set(grant.headers.map { $0.name.lowercased() })
      grant.headers += options.userHeaders.filter { !given.contains($0.name.lowercased()) }
      grant.usesNetrc = options.usesNetrc || options.netrcFile != nil
      if let authorization {
        grant.headers.removeAll { $0.name.lowercased() == "authorization" }
        if let value = authorization.value {
          grant.headers.append(HTTPHeader("Authorization", value))
        }
        grant.authorization = authorization.number
      }
    }
    grant.userInfo =
      Self.userInfo(of: url)
      ?? (isRequested ? Self.userInfo(of: request.url) : nil)
      ?? (isOwner ? options.credentialOrigin.flatMap(Self.userInfo) : nil)
    // curl keeps cookies to their domain and path, but not to a port or, unless they say so, to https.
    grant.usesCookies = options.cookieFile != nil && (isOwner || owner?.host != target.host)
    return grant
  }

  /// The URL as it is put on the wire: user and password travel as a header, not in a text that gets logged.
  static func bare(_ url: URL) -> URL {
    guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
      parts.user != nil || parts.password != nil || parts.fragment != nil
    else { return url.absoluteURL }
    parts.user = nil
    parts.password = nil
    parts.fragment = nil
    return parts.url ?? url.absoluteURL
  }

  private static func userInfo(of url: URL) -> UserInfo? {
    guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
      let user = parts.user
    else { return nil }
    return UserInfo(user: user, password: parts.password ?? "")
  }
}
