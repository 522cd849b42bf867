package import struct Foundation.URL
package import struct Foundation.URLComponents

/// Text that may be shown: without what only its owner should read, and without what moves a terminal's cursor.
package enum Redaction {
  /// More characters than any name or sentence that a person reads; longer text is cut in its middle.
  package static let longest = 4096

  /// A URL without user, password, query and fragment.
  package static func text(of url: URL) -> String { cut(identity(of: url)) }

  /// The same in whole length, to tell one URL from another.
  package static func identity(of url: URL) -> String {
    guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return "(URL)" }
    parts.user = nil
    parts.password = nil
    parts.query = nil
    parts.fragment = nil
    return escaped(parts.string ?? "(URL)")
  }

  /// Text with its control characters, line separators and direction overrides escaped as `\u{1b}`, of bounded length.
  package static func printable(_ text: String) -> String { cut(escaped(cut(text))) }

  /// Text of at most `limit` characters: of a longer one the begin and the end, and between them how much is missing.
  package static func cut(_ text: String, to limit: Int = longest) -> String {
    // What is cut is longer than the words that say so, which are not cut again.
    let most = limit + 30
    let scalars = text.unicodeScalars
    guard text.utf8.count > most, scalars.count > most else { return text }
    let end = limit / 4
    let missing = scalars.count - limit
    return String(scalars.prefix(limit - end)) + "[... \(missing) more ...]"
      + String(scalars.suffix(end))
  }

  private static func escaped(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isHidden) else { return text }
    return text.unicodeScalars.reduce(into: "") { result, scalar in
      if isHidden(scalar) {
        result += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
  }

  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7f..<0xa0, 0x2028...0x2029, 0x200e...0x200f, 0x202a...0x202e, 0x2066...0x2069:
      true
    default: false
    }
  }
}
