/// The Content-Range field of a 206 or 416, RFC 9110 section 14.4.
public struct ContentRange: Sendable, Hashable {
  /// The bytes that the body holds; `nil` in a 416.
  public let range: Range<Int64>?
  /// The length of the whole; `nil` when the server does not know it (`*`).
  public let total: Int64?

  /// Reads `bytes 0-99/1000`, `bytes 0-99/*` or `bytes */1000`; `nil` for anything else.
  public init?(_ text: String) {
    let trimmed = text.trimmingPrefix { $0 == " " }
    guard trimmed.prefix(5).lowercased() == "bytes" else { return nil }
    let parts = trimmed.dropFirst(5).drop { $0 == " " || $0 == "=" }
      .split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    let total = parts[1].filter { $0 != " " }
    if total == "*" {
      self.total = nil
    } else {
      guard let count = Self.number(total) else { return nil }
      self.total = count
    }
    if parts[0].filter({ $0 != " " }) == "*" {
      guard self.total != nil else { return nil }
      self.range = nil
      return
    }
    let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]),
      first <= last, last < .max, last < self.total ?? .max
    else { return nil }
    self.range = first..<(last + 1)
  }

  private static func number(_ text: some StringProtocol) -> Int64? {
    let digits = String(text).filter { $0 != " " }
    guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
    return Int64(digits)
  }
}
