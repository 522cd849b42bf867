import struct Foundation.Data

/// A dictionary of byte sequences as header fields write it (RFC 9651, 3.2 and 3.3.5): `sha-256=:4REj…=:, sha-512=:…:`.
enum DigestDictionary {
  /// The members in order, `nil` for a value that is no byte sequence; the last of equal names counts.
  ///
  /// `nil` when the text is no dictionary: then none of it may be believed (RFC 9651, 4.2).
  static func members(of text: String) -> [(name: String, bytes: [UInt8]?)]? {
    var rest = Array(text.utf8)[...]
    var members: [(name: String, bytes: [UInt8]?)] = []
    skipSpace(&rest)
    while !rest.isEmpty {
      guard let name = key(&rest) else { return nil }
      var bytes: [UInt8]?
      if rest.first == UInt8(ascii: "=") {
        rest.removeFirst()
        guard value(&rest, &bytes) else { return nil }
      }
      guard parameters(&rest) else { return nil }
      members.removeAll { $0.name == name }
      members.append((name, bytes))
      skipSpace(&rest)
      if rest.isEmpty { break }
      guard rest.popFirst() == UInt8(ascii: ",") else { return nil }
      skipSpace(&rest)
      // A comma at the end is no dictionary.
      if rest.isEmpty { return nil }
    }
    return members
  }

  private static func skipSpace(_ rest: inout ArraySlice<UInt8>) {
    rest = rest.drop { $0 == 0x20 || $0 == 0x09 }
  }

  private static func key(_ rest: inout ArraySlice<UInt8>) -> String? {
    guard let first = rest.first, isLower(first) || first == UInt8(ascii: "*") else { return nil }
    let name = rest.prefix { isLower($0) || isDigit($0) || "_-.*".utf8.contains($0) }
    rest = rest.dropFirst(name.count)
    return String(decoding: name, as: UTF8.self)
  }

  /// Any bare item; `bytes` are set by a byte sequence only.
  private static func value(_ rest: inout ArraySlice<UInt8>, _ bytes: inout [UInt8]?) -> Bool {
    switch rest.first {
    case UInt8(ascii: ":"):
      let encoded = rest.dropFirst().prefix { $0 != UInt8(ascii: ":") }
      rest = rest.dropFirst(encoded.count + 1)
      guard rest.popFirst() == UInt8(ascii: ":") else { return false }
      bytes = Data(base64Encoded: Data(encoded)).map { [UInt8]($0) }
      return bytes != nil
    case UInt8(ascii: "\""): return string(&rest)
    default:
      // Numbers, tokens, booleans, dates; lists are not read.
      let item = rest.prefix { $0 > 0x20 && $0 < 0x7F && !",;()\"\\".utf8.contains($0) }
      rest = rest.dropFirst(item.count)
      return !item.isEmpty
    }
  }

  private static func string(_ rest: inout ArraySlice<UInt8>) -> Bool {
    rest.removeFirst()
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\"") { return true }
      if byte == UInt8(ascii: "\\"), rest.popFirst() == nil { return false }
    }
    return false
  }

  private static func parameters(_ rest: inout ArraySlice<UInt8>) -> Bool {
    while rest.first == UInt8(ascii: ";") {
      rest = rest.dropFirst().drop { $0 == 0x20 }
      guard key(&rest) != nil else { return false }
      guard rest.first == UInt8(ascii: "=") else { continue }
      rest.removeFirst()
      var ignored: [UInt8]?
      guard value(&rest, &ignored) else { return false }
    }
    return true
  }

  private static func isLower(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
