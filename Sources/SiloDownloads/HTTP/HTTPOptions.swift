public import struct Foundation.URL

/// How every request of one client is made.
public struct HTTPOptions: Sendable {
  /// Headers given by the user, with the origin that they belong to: they are sent there and nowhere else.
  public var userHeaders: [HTTPHeader] = []
  /// The URL whose origin the user's headers, netrc entry and user:password belong to.
  public var credentialOrigin: URL?
  /// Makes another value of the Authorization header when `credentialOrigin` answers 401; `nil` leaves a 401 final.
  ///
  /// Called once for every credential that is refused, however many requests are; the first credential is the Authorization
  /// of `userHeaders`, if any. Outside of the budget of attempts. A 401 to what it returned is final. What it throws ends the
  /// requests that wait for it.
  public var renewAuthorization: (@Sendable () async throws -> String)?
  /// The User-Agent.
  public var userAgent: String = "silo-fetch"
  /// A proxy as curl writes it; `nil` leaves it to the environment.
  public var proxy: String?
  /// A file of certificate authorities.
  public var certificateAuthorities: URL?
  /// Accept any certificate.
  public var acceptsAnyCertificate = false
  /// Look for credentials in `~/.netrc`.
  public var usesNetrc = false
  /// Look for credentials in this file instead.
  public var netrcFile: URL?
  /// A cookie file in Netscape form, read only.
  public var cookieFile: URL?
  /// Attempts of one request without progress before it fails.
  public var attempts = 10
  /// The time without a byte after which an attempt counts as stalled.
  public var stallTime: Duration = .seconds(30)
  /// Called before the pause of every request that is sent again; soon back, from any thread.
  ///
  /// Connections that only help another one are not sent again, and so are not told.
  public var retrying: (@Sendable (HTTPRetry) -> Void)?
  /// The limit that all clients made with these options, or with copies of them, share; `nil` for none.
  public var rateLimit: RateLimit?
  /// The most connections to one host.
  public var connectionsPerHost = 16
  /// The most connections for one plain file, as long as they help.
  public var connectionsPerFile = 8
  /// The most redirects that one request follows.
  public var redirects = 10
  /// A Retry-After above this ends the request as temporary.
  public var longestRetryAfter: Duration = .seconds(300)

  /// The defaults.
  public init() {}

  /// Bytes a second over all transfers; setting it makes a limit of its own.
  public var bytesPerSecond: Int64? {
    get { rateLimit?.bytesPerSecond }
    set { rateLimit = newValue.map(RateLimit.init) }
  }
}
