/// The Content-Disposition of a file, as Go's `mime.FormatMediaType` writes it.
enum FileDisposition {
  /// `attachment; filename=…` for the name of a file on the server.
  static func attachment(_ name: String) -> String {
    let safe = String(
      String.UnicodeScalarView(
        name.unicodeScalars.map { scalar in
          "/\\\"<>|?*:".unicodeScalars.contains(scalar) || scalar.value < 0x20
            || scalar.value == 0x7F ? "_" : scalar
        }))
    if safe.utf8.contains(where: { $0 >= 0x80 }) {
      return "attachment; filename*=utf-8''\(escaped(safe))"
    }
    return safe.utf8.allSatisfy(isToken) && !safe.isEmpty
      ? "attachment; filename=\(safe)" : "attachment; filename=\"\(safe)\""
  }

  private static func escaped(_ text: String) -> String {
    text.utf8.reduce(into: "") { result, byte in
      if isToken(byte), !"%'*".utf8.contains(byte) {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        result += "%" + (digits.count == 1 ? "0" : "") + digits
      }
    }
  }

  private static func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`{|}~".utf8.contains(byte)
    }
  }
}
