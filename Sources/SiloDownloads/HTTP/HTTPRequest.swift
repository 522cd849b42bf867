public import struct Foundation.URL

/// One request, before redirects.
public struct HTTPRequest: Sendable, Hashable {
  /// What is fetched decides what may be done to it on the way.
  public enum Purpose: Sendable, Hashable {
    /// A playlist, a key or another small text: compression is welcome, the body is held in memory.
    case document
    /// Media bytes: `identity` only, or offsets stop meaning anything.
    case media
  }

  /// Where to.
  public var url: URL
  /// What is fetched.
  public var purpose: Purpose
  /// `GET`, or `HEAD`; `POST`, `PATCH` and `DELETE` are not redirected.
  public var method: String
  /// The bytes that are wanted, as an inclusive-exclusive range; `upperBound` `.max` asks for the rest.
  public var range: Range<Int64>?
  /// A validator to send as If-Range.
  public var ifRange: String?
  /// More headers; sent to this URL's origin only.
  public var headers: [HTTPHeader]
  /// JSON to send along.
  package var json: String?
  /// Somebody waits for it before anything begins: an answer that trickles is a failed attempt.
  package var isLook = false
  /// A redirect to another origin is an error.
  package var staysWithOrigin = false

  /// A request for `url`.
  public init(
    _ url: URL, purpose: Purpose, method: String = "GET", range: Range<Int64>? = nil,
    ifRange: String? = nil, headers: [HTTPHeader] = []
  ) {
    self.url = url
    self.purpose = purpose
    self.method = method
    self.range = range
    self.ifRange = ifRange
    self.headers = headers
  }
}

/// One header field.
public struct HTTPHeader: Sendable, Hashable {
  /// The name as sent; compared without case.
  public var name: String
  /// The value.
  public var value: String

  /// A header field.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}
