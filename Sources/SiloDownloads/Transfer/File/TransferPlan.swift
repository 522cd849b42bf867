/// What to ask for next, and what to do with an answer, given what is on disk; a pure decision.
struct TransferPlan: Hashable, Sendable {
  /// What the answer to a request means for the partial file.
  enum Answer: Hashable, Sendable {
    /// The body starts at this offset; bytes that are there already have to be equal.
    case take(from: Int64)
    /// The body is the whole: what is there is thrown away first.
    case startOver
    /// The body is of no use: what is there is thrown away, and everything asked for again.
    case askAgain(String)
    /// There is no way on.
    case refuse(DownloadError.Code, String)
  }

  /// The bytes from 0 on, or from the last gap on, up to what is asked for.
  var written: Int64 = 0
  /// Whether there are more bytes, behind a gap.
  var holdsMore = false
  /// What told the version that they are of.
  var validators = HTTPValidators(entityTag: nil, lastModified: nil, totalByteCount: nil)

  private var isEmpty: Bool { written == 0 && !holdsMore }

  /// So much is fetched again and compared when nothing else tells whether the source changed.
  static let comparedByteCount: Int64 = 1 << 20

  /// The range to ask for; `nil` asks for the whole.
  var range: Range<Int64>? {
    if isEmpty { return nil }
    var first = written
    if validators.ifRange == nil { first = max(0, written - Self.comparedByteCount) }
    // Never past the end: that would be a 416, and tells nothing.
    if let total = validators.totalByteCount { first = min(first, max(0, total - 1)) }
    return first..<Int64.max
  }

  /// What to send as If-Range; the answer is compared all the same.
  var ifRange: String? { isEmpty ? nil : validators.ifRange }

  /// What to do with the answer `head` to the request for `asked`.
  func answer(to head: HTTPResponseHead, asked: Range<Int64>?) -> Answer {
    switch head.status {
    case 200: return .startOver
    case 206: break
    default:
      return .refuse(.unavailable, "The server's answer has no file in it. (HTTP \(head.status))")
    }
    let first = asked?.lowerBound ?? 0
    guard let range = head.contentRange?.range, range.lowerBound == first else {
      let text = "The server sends another range than it was asked for."
      return asked == nil ? .refuse(.integrity, text) : .askAgain(text)
    }
    if isEmpty { return .take(from: 0) }
    if let difference = validators.difference(from: head.validators) {
      return .askAgain("The source changed: \(difference).")
    }
    // With nothing to compare but the bytes, some of them have to come along.
    if !validators.isSameVersion(as: head.validators), first == written {
      return .askAgain("The server no longer tells which version it sends.")
    }
    return .take(from: first)
  }

  /// What the answer to the request of one more connection means.
  enum PieceAnswer: Hashable, Sendable {
    /// It is what was asked for, of the version that is there.
    case take
    /// It is of no use; what is there is not touched by that.
    case decline
    /// The source is another than it was.
    case changed(String)
  }

  /// What to do with the answer `head` to the request of one more connection for `asked`.
  ///
  /// Only what is proven to be of the same version is taken.
  func answer(to head: HTTPResponseHead, ofPiece asked: Range<Int64>) -> PieceAnswer {
    guard head.status == 200 || head.status == 206, !Self.isPage(head) else { return .decline }
    if let difference = validators.difference(from: head.validators) {
      return .changed("The source changed: \(difference).")
    }
    guard head.status == 206, let range = head.contentRange?.range,
      range.lowerBound == asked.lowerBound, validators.isSameVersion(as: head.validators)
    else { return .decline }
    return .take
  }

  /// Whether it is a page in place of media, of a network that wants a sign-in: it tells nothing about the source.
  static func isPage(_ head: HTTPResponseHead) -> Bool {
    let kind = head["Content-Type"]?.lowercased() ?? ""
    return head.status == 200
      && ["text/", "application/json"].contains(where: kind.hasPrefix)
  }

  /// Whether several connections may share a file, of which `head` began to tell.
  func isShareable(by head: HTTPResponseHead) -> Bool {
    guard validators.totalByteCount != nil, validators.ifRange != nil else { return false }
    let units = head["Accept-Ranges"]?.lowercased().split(separator: ",") ?? []
    return head.status == 206 || units.contains { $0.filter { $0 != " " } == "bytes" }
  }
}
