/// The five parts of a URI reference as RFC 3986, appendix B, splits them; nothing is decoded or changed.
package struct URLParts {
  var scheme: String?
  var authority: String?
  var path: String
  var query: String?
  var fragment: String?

  /// Splits `reference`.
  init(_ reference: String) {
    // Over bytes: characters would be looked for at every step.
    var rest = Substring(reference).utf8
    if let mark = rest.firstIndex(of: 0x23) {
      fragment = String(Substring(rest[rest.index(after: mark)...]))
      rest = rest[..<mark]
    }
    if let mark = rest.firstIndex(of: 0x3F) {
      query = String(Substring(rest[rest.index(after: mark)...]))
      rest = rest[..<mark]
    }
    if let colon = rest.firstIndex(of: 0x3A), Self.isScheme(rest[..<colon]) {
      scheme = Substring(rest[..<colon]).lowercased()
      rest = rest[rest.index(after: colon)...]
    }
    if rest.starts(with: "//".utf8) {
      rest = rest.dropFirst(2)
      let end = rest.firstIndex(of: 0x2F) ?? rest.endIndex
      authority = String(Substring(rest[..<end]))
      rest = rest[end...]
    }
    path = String(Substring(rest))
  }

  private static func isScheme(_ text: Substring.UTF8View) -> Bool {
    guard let first = text.first, isLetter(first) else { return false }
    return text.allSatisfy {
      isLetter($0) || (0x30...0x39).contains($0) || $0 == 0x2B || $0 == 0x2D || $0 == 0x2E
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

  /// The reference put together again.
  var text: String {
    var out = ""
    if let scheme { out += scheme + ":" }
    if let authority { out += "//" + authority }
    out += path
    if let query { out += "?" + query }
    if let fragment { out += "#" + fragment }
    return out
  }

  /// `path` without `.` and `..` (RFC 3986, 5.2.4), or `nil` when a `..` would climb above the root.
  static func withoutDots(_ path: String) -> String? {
    guard path.utf8.contains(0x2E) else { return path }
    var kept: [Substring] = []
    let pieces = path.utf8.split(separator: 0x2F, omittingEmptySubsequences: false)
      .map { Substring($0) }
    for (position, piece) in pieces.enumerated() {
      let isLast = position == pieces.count - 1
      if piece == "." {
        if isLast { kept.append("") }
      } else if piece == ".." {
        guard kept.count > 1 else { return nil }
        kept.removeLast()
        if isLast { kept.append("") }
      } else {
        kept.append(piece)
      }
    }
    return kept.joined(separator: "/")
  }

  /// `text` with what may not stand in a URI at its place percent-encoded, as browsers and curl do it; existing percent codes
  /// stay byte-exact (RFC 3986, 2 and 3.2.2: square brackets belong to the host alone).
  ///
  /// Foundation escapes such a text as a whole, its percent codes once more.
  package static func escapingIllegal(_ text: String) -> String {
    let isClean = text.utf8.allSatisfy { isLegal($0) && $0 != 0x25 && !isBracket($0) }
    if isClean { return text }
    let bytes = Array(text.utf8)
    let host = authority(of: bytes)
    var out: [UInt8] = []
    out.reserveCapacity(bytes.count + 16)
    for (index, byte) in bytes.enumerated() {
      let isCode =
        byte == 0x25 && index + 2 < bytes.count
        && PlaylistNumber.hexDigit(bytes[index + 1]) != nil
        && PlaylistNumber.hexDigit(bytes[index + 2]) != nil
      let isInPlace = !isBracket(byte) || host.contains(index)
      if isCode || (byte != 0x25 && isLegal(byte) && isInPlace) {
        out.append(byte)
      } else {
        let digits = Array("0123456789ABCDEF".utf8)
        out += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: out, as: UTF8.self)
  }

  /// Where the authority stands in a reference; empty when it has none.
  private static func authority(of bytes: [UInt8]) -> Range<Int> {
    let isEnd: (UInt8) -> Bool = { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 }
    let head = bytes.prefix { !isEnd($0) }
    let start = head.last == 0x3A ? head.count : 0
    guard bytes[start...].starts(with: "//".utf8) else { return 0..<0 }
    let end = bytes[(start + 2)...].firstIndex(where: isEnd) ?? bytes.count
    return start + 2..<end
  }

  /// `text` with its percent codes turned into the bytes they stand for.
  static func decodingPercent(_ text: String) -> String {
    text.utf8.contains(0x25) ? String(decoding: decodedBytes(text), as: UTF8.self) : text
  }

  /// The bytes that `text` stands for, percent codes decoded.
  static func decodedBytes(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    var out: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == 0x25, index + 2 < bytes.count,
        let high = PlaylistNumber.hexDigit(bytes[index + 1]),
        let low = PlaylistNumber.hexDigit(bytes[index + 2])
      {
        out.append(high << 4 | low)
        index += 3
      } else {
        out.append(bytes[index])
        index += 1
      }
    }
    return out
  }

  static func isBracket(_ byte: UInt8) -> Bool { byte == 0x5B || byte == 0x5D }

  /// Whether a URI may hold the byte (RFC 3986, 2), the percent sign included.
  static func isLegal(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    // - . _ ~ : / ? # [ ] @ ! $ & ' ( ) * + , ; = %
    case 0x2D, 0x2E, 0x5F, 0x7E, 0x3A, 0x2F, 0x3F, 0x23, 0x5B, 0x5D, 0x40: true
    case 0x21, 0x24, 0x26...0x2C, 0x3B, 0x3D, 0x25: true
    default: false
    }
  }
}
