package import struct Foundation.URL
package import struct Foundation.URLComponents

/// Text that may be shown: without what only its owner should read, and without what moves a terminal's cursor.
package enum Redaction {
  /// A URL without user, password, query and fragment.
  package static func text(of url: URL) -> String {
    guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return "(URL)" }
    parts.user = nil
    parts.password = nil
    parts.query = nil
    parts.fragment = nil
    return printable(parts.string ?? "(URL)")
  }

  /// Text with its control characters, line separators and direction overrides escaped as `\u{1b}`.
  package static func printable(_ text: String) -> String {
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
