/// One answered request, for logs and for tests that count them.
///
/// It is recorded when the answer is handed to the wire, so a client that holds the answer can rely on the record.
public struct RequestRecord: Sendable, Hashable {
  /// `GET`, `HEAD`, or what else was asked.
  public var method: String
  /// The path as sent, percent-encoded, without the query.
  public var path: String
  /// The Range field as sent.
  public var range: String?
  /// The status of the answer.
  public var status: Int
  /// The bytes of the answer's body that were promised; 0 for HEAD.
  public var byteCount: Int64

  /// A record of the given parts.
  public init(method: String, path: String, range: String?, status: Int, byteCount: Int64) {
    self.method = method
    self.path = path
    self.range = range
    self.status = status
    self.byteCount = byteCount
  }
}
