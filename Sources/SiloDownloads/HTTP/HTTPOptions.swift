public import struct Foundation.URL

/// How every request of one client is made.
public struct HTTPOptions: Sendable {
  /// Headers given by the user, with the origin that they belong to: they are sent there and nowhere else.
  public var userHeaders: [HTTPHeader] = []
  /// The URL whose origin the user's headers, netrc entry and user:password belong to.
  public var credentialOrigin: URL?
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
  /// Bytes a second over all transfers of the client.
  public var bytesPerSecond: Int64?
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
}
