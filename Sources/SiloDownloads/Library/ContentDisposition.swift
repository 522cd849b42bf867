import Foundation

/// The file name in a Content-Disposition header (RFC 6266, RFC 8187).
enum ContentDisposition {
  /// The name that the header gives, the extended form first; `nil` when it gives none.
  ///
  /// Of a path only the last part is a name (RFC 6266, 4.3).
  static func fileName(in header: String) -> String? {
    wholeName(in: header)?.split { $0 == "/" || $0 == "\\" }.last.map { String($0) }
  }

  private static func wholeName(in header: String) -> String? {
    let parameters = parameters(of: header)
    if let extended = parameters["filename*"], let name = decodeExtended(extended) { return name }
    guard let plain = parameters["filename"], !plain.isEmpty else { return nil }
    // Browsers decode percent codes here too, and servers rely on it.
    return plain.contains("%") ? plain.removingPercentEncoding ?? plain : plain
  }

  private static func parameters(of header: String) -> [String: String] {
    var found: [String: String] = [:]
    for part in split(header).dropFirst() {
      guard let equals = part.firstIndex(of: "=") else { continue }
      let name = part[..<equals].trimmingCharacters(in: .whitespaces).lowercased()
      let value = part[part.index(after: equals)...].trimmingCharacters(in: .whitespaces)
      if found[name] == nil { found[name] = unquoted(value) }
    }
    return found
  }

  /// Split at semicolons outside quotes.
  private static func split(_ header: String) -> [String] {
    var parts = [""]
    var isQuoted = false
    var isEscaped = false
    for character in header {
      if character == ";", !isQuoted {
        parts.append("")
        continue
      }
      if character == "\"", !isEscaped { isQuoted.toggle() }
      isEscaped = character == "\\" && !isEscaped
      parts[parts.count - 1].append(character)
    }
    return parts
  }

  private static func unquoted(_ value: String) -> String {
    guard value.count >= 2, value.hasPrefix("\""), value.hasSuffix("\"") else { return value }
    var text = ""
    var isEscaped = false
    for character in value.dropFirst().dropLast() {
      if character == "\\", !isEscaped {
        isEscaped = true
        continue
      }
      text.append(character)
      isEscaped = false
    }
    return text
  }

  /// `UTF-8'tr'Bir%20film.mkv`.
  private static func decodeExtended(_ value: String) -> String? {
    let parts = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3 else { return nil }
    switch parts[0].lowercased() {
    case "utf-8": return String(parts[2]).removingPercentEncoding
    case "iso-8859-1":
      let bytes = percentDecoded(String(parts[2]))
      return String(bytes: bytes, encoding: .isoLatin1)
    default: return nil
    }
  }

  private static func percentDecoded(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }
}
