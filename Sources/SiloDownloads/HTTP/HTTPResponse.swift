public import struct Foundation.URL

/// The head of the final response, after redirects.
public struct HTTPResponseHead: Sendable {
  /// The status code.
  public var status: Int
  /// The URL that answered: the base of relative references.
  public var url: URL
  /// The header fields in the order of arrival, names as sent.
  public var headers: [HTTPHeader]

  /// A head of the given parts.
  public init(status: Int, url: URL, headers: [HTTPHeader]) {
    self.status = status
    self.url = url
    self.headers = headers
  }

  /// The first value of the field `name`, whatever its case.
  public subscript(name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}

/// Takes the body of a response as it arrives, on the HTTP client's thread: quick, and never blocking on the network.
public protocol HTTPBodySink: AnyObject, Sendable {
  /// Called once per attempt, before any byte of its body; throwing refuses the response and ends the request.
  ///
  /// A retried request calls it again: what the previous attempt delivered has to be forgotten or continued by the
  /// sink, which says so with the range of its next request.
  func begin(_ head: HTTPResponseHead) throws
  /// Called for each piece of the body, straight from curl's buffer.
  func receive(_ bytes: RawSpan) throws
}
