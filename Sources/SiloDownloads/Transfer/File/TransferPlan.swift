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

  /// The bytes from 0 that are on disk.
  var written: Int64 = 0
  /// What told the version that they are of.
  var validators = HTTPValidators(entityTag: nil, lastModified: nil, totalByteCount: nil)

  /// So much is fetched again and compared when nothing else tells whether the source changed.
  static let comparedByteCount: Int64 = 1 << 20

  /// The range to ask for; `nil` asks for the whole.
  var range: Range<Int64>? {
    guard written > 0 else { return nil }
    var first = written
    if validators.ifRange == nil { first = max(0, written - Self.comparedByteCount) }
    // Never past the end: that would be a 416, and tells nothing.
    if let total = validators.totalByteCount { first = min(first, max(0, total - 1)) }
    return first..<Int64.max
  }

  /// What to send as If-Range; the answer is compared all the same.
  var ifRange: String? { written > 0 ? validators.ifRange : nil }

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
    guard written > 0 else { return .take(from: 0) }
    if let difference = validators.difference(from: head.validators) {
      return .askAgain("The source changed: \(difference).")
    }
    // With nothing to compare but the bytes, some of them have to come along.
    if !isSameVersion(head.validators), first == written {
      return .askAgain("The server no longer tells which version it sends.")
    }
    return .take(from: first)
  }

  /// Whether `other` has the very validator that is stored.
  private func isSameVersion(_ other: HTTPValidators) -> Bool {
    if let tag = validators.strongEntityTag, let theirs = other.strongEntityTag {
      return tag == theirs
    }
    return validators.lastModified != nil && validators.lastModified == other.lastModified
  }
}
