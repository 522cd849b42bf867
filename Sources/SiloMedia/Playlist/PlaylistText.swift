import struct Foundation.URL

/// Text of a playlist made fit for a message: short, printable, without what may be a secret.
enum PlaylistText {
  private static let longest = 96

  /// A line as it is shown in an error: query strings and credentials hidden, control characters escaped, cut.
  static func quoted(_ bytes: some Collection<UInt8>) -> String {
    let head = Array(bytes.prefix(4 * longest))
    let text = String(decoding: head, as: UTF8.self)
    // The value of a variable is most often the very token that a URL carries.
    let hidesValues = text.hasPrefix("#EXT-X-DEFINE") || text.hasPrefix("#EXT-X-SESSION-DATA")
    var out = ""
    var count = 0
    var isHidden = false
    for scalar in withoutCredentials(text).unicodeScalars {
      if isHidden {
        guard scalar == "\"" || scalar == " " || scalar == "," else { continue }
        isHidden = false
      }
      if count == longest {
        out += "…"
        break
      }
      count += 1
      append(scalar, to: &out)
      if scalar == "?" || (hidesValues && out.hasSuffix("VALUE=\"")) {
        out += "…"
        isHidden = true
      }
    }
    return out
  }

  /// A URL as messages name it: no credentials, query or fragment.
  static func name(of url: URL) -> String {
    let parts = URLParts(url.absoluteString)
    var out = parts.scheme.map { $0 + ":" } ?? ""
    if let authority = parts.authority {
      out += "//" + (authority.split(separator: "@", omittingEmptySubsequences: false).last ?? "")
    }
    return quoted((out + parts.path).utf8)
  }

  private static func append(_ scalar: Unicode.Scalar, to out: inout String) {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse:
      out += "\\u{" + String(scalar.value, radix: 16) + "}"
    default:
      out.unicodeScalars.append(scalar)
    }
  }

  /// `//user:password@host` without the part before the `@`.
  private static func withoutCredentials(_ text: String) -> String {
    guard let slashes = text.firstRange(of: "//"), text[slashes.upperBound...].contains("@")
    else { return text }
    let rest = text[slashes.upperBound...]
    let end = rest.firstIndex { "/?#\" ".contains($0) } ?? rest.endIndex
    guard let at = rest[..<end].lastIndex(of: "@") else { return text }
    return text[..<slashes.upperBound] + "…" + rest[at...]
  }
}
