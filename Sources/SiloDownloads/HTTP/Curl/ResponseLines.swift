/// Collects the lines of a response's head as curl hands them over, one call each.
struct ResponseLines: Sendable {
  /// The final status; `nil` before it arrived.
  private(set) var status: Int?
  /// The fields so far, in order.
  private(set) var headers: [HTTPHeader] = []
  /// Whether the empty line of the final head was seen.
  private(set) var isComplete = false
  /// Whether what came last belongs to a head before the one that counts.
  var isInformational: Bool { status.map { (100..<200).contains($0) } ?? false }
  private var byteCount = 0

  /// More than any server sends; a head without end is not collected.
  static let longest = 256 << 10

  /// Takes one line with its line end; `false` when the head is too long.
  mutating func take(_ line: UnsafeRawBufferPointer) -> Bool {
    // Trailers come this way too, after the body.
    if isComplete { return true }
    byteCount += line.count
    guard byteCount <= Self.longest else { return false }
    var text = String(decoding: line, as: UTF8.self)
    while text.utf8.last == 10 || text.utf8.last == 13 {
      text = String(text.unicodeScalars.dropLast())
    }
    if text.hasPrefix("HTTP/") {
      let parts = text.split(separator: " ", maxSplits: 2)
      status = parts.count > 1 ? Int(parts[1]) : nil
      headers = []
    } else if text.isEmpty {
      // 100 and 103 come before the response that counts.
      if let status, status >= 200 { isComplete = true }
    } else if let first = text.first, first == " " || first == "\t" {
      appendContinuation(text)
    } else if let colon = text.firstIndex(of: ":") {
      let value = text[text.index(after: colon)...]
      headers.append(HTTPHeader(String(text[..<colon]), Self.trimmed(value)))
    }
    return true
  }

  private mutating func appendContinuation(_ text: String) {
    guard let last = headers.indices.last else { return }
    headers[last].value += " " + Self.trimmed(text[...])
  }

  private static func trimmed(_ text: Substring) -> String {
    let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    let start = text.drop(while: isBlank)
    let count = start.reversed().prefix(while: isBlank).count
    return String(start.dropLast(count))
  }
}
