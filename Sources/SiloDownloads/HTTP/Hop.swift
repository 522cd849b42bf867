import struct Foundation.URL

/// One request on its way: after a redirect the same request to another URL.
struct Hop: Sendable {
  /// Where to now, with the user and password that the URL came with.
  let url: URL
  /// What is wanted.
  let request: HTTPRequest
  /// The secrets that go along.
  let grant: CredentialScope.Grant
  /// Over a new connection to an address that is looked up anew.
  var isAfresh = false

  /// The fields of the request's head beyond those that curl makes itself.
  var headerLines: [String] {
    var headers = grant.headers
    if request.json != nil { headers.append(HTTPHeader("Content-Type", "application/json")) }
    if request.purpose == .media { headers.append(HTTPHeader("Accept-Encoding", "identity")) }
    if let range = request.range {
      headers.append(HTTPHeader("Range", "bytes=\(Self.text(of: range))"))
      if let validator = request.ifRange { headers.append(HTTPHeader("If-Range", validator)) }
    }
    return headers.compactMap(Self.line)
  }

  private static func text(of range: Range<Int64>) -> String {
    range.upperBound == .max
      ? "\(range.lowerBound)-" : "\(range.lowerBound)-\(range.upperBound - 1)"
  }

  /// The field as curl wants it; `nil` for one that would smuggle in another.
  private static func line(_ header: HTTPHeader) -> String? {
    let isClean = { (text: String) in !text.utf8.contains { $0 == 10 || $0 == 13 || $0 == 0 } }
    guard isClean(header.name), isClean(header.value), !header.name.isEmpty,
      !header.name.contains(":")
    else { return nil }
    // "Name:" would remove the field, "Name;" sends it empty.
    return header.value.isEmpty ? "\(header.name);" : "\(header.name): \(header.value)"
  }
}
