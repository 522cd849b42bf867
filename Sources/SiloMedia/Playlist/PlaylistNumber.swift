/// The number forms of playlists (RFC 8216, 4.2), read from bytes without ever trapping.
enum PlaylistNumber {
  /// A decimal integer that fills the whole text; `nil` for anything else, too large a number included.
  static func integer(_ bytes: ArraySlice<UInt8>) -> Int64? {
    guard !bytes.isEmpty else { return nil }
    var value: Int64 = 0
    for byte in bytes {
      guard byte >= 0x30, byte <= 0x39 else { return nil }
      let (scaled, over) = value.multipliedReportingOverflow(by: 10)
      let (sum, overToo) = scaled.addingReportingOverflow(Int64(byte - 0x30))
      if over || overToo { return nil }
      value = sum
    }
    return value
  }

  /// Seconds as `10`, `9.009`, `.5` or `-1` at the front of `bytes`, and how many bytes they fill.
  ///
  /// Exact to the attosecond, so that sums over thousands of segments do not drift; `nil` when there is no digit or more
  /// than 10⁹ seconds.
  static func duration(_ bytes: ArraySlice<UInt8>) -> (Duration, length: Int)? {
    var index = bytes.startIndex
    var isNegative = false
    if index < bytes.endIndex, bytes[index] == 0x2D || bytes[index] == 0x2B {
      isNegative = bytes[index] == 0x2D
      index += 1
    }
    var seconds: Int64 = 0
    var digits = 0
    while index < bytes.endIndex, (0x30...0x39).contains(bytes[index]) {
      seconds = seconds * 10 + Int64(bytes[index] - 0x30)
      guard seconds <= 1_000_000_000 else { return nil }
      digits += 1
      index += 1
    }
    var attoseconds: Int64 = 0
    if index < bytes.endIndex, bytes[index] == 0x2E {
      index += 1
      var unit: Int64 = 100_000_000_000_000_000
      while index < bytes.endIndex, (0x30...0x39).contains(bytes[index]) {
        attoseconds += Int64(bytes[index] - 0x30) * unit
        unit /= 10
        digits += 1
        index += 1
      }
    }
    guard digits > 0 else { return nil }
    let value = Duration(secondsComponent: seconds, attosecondsComponent: attoseconds)
    let length = index - bytes.startIndex
    return (isNegative ? .zero - value : value, length)
  }

  /// The bytes of `0x…`; `nil` when it is no hexadecimal number or longer than `byteCount` bytes, which shorter numbers
  /// are padded to from the left.
  static func hexadecimal(_ text: String, byteCount: Int) -> [UInt8]? {
    let bytes = Array(text.utf8)
    guard bytes.count > 2, bytes[0] == 0x30, bytes[1] | 0x20 == 0x78 else { return nil }
    let digits = bytes.dropFirst(2)
    guard digits.count <= 2 * byteCount else { return nil }
    var out = [UInt8](repeating: 0, count: byteCount)
    for (position, digit) in digits.reversed().enumerated() {
      guard let value = hexDigit(digit) else { return nil }
      out[byteCount - 1 - position / 2] |= position.isMultiple(of: 2) ? value : value << 4
    }
    return out
  }

  /// The value of one hexadecimal digit of either case.
  static func hexDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
  }
}
