/// A moment with whole seconds, as RFC 3339 writes it.
///
/// Written in UTC; read with any offset, a fraction is dropped.
package struct Timestamp: Codable, Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The seconds since 1970, in UTC.
  package var seconds: Int64

  /// The moment so many seconds after 1970.
  package init(seconds: Int64) { self.seconds = seconds }

  /// Reads `2026-06-19T16:04:05Z`, `2026-06-19T18:04:05.123+02:00`; `nil` for anything else.
  package init?(_ text: String) {
    var rest = Array(text.utf8)[...]
    guard let year = rest.number(4), rest.skip("-"), let month = rest.number(2), rest.skip("-"),
      let day = rest.number(2), rest.skip("T") || rest.skip("t") || rest.skip(" "),
      let hour = rest.number(2), rest.skip(":"), let minute = rest.number(2), rest.skip(":"),
      let second = rest.number(2), (1...12).contains(month), day >= 1,
      day <= Self.days(inMonth: month, of: year), hour < 24, minute < 60, second <= 60
    else { return nil }
    if rest.skip(".") {
      guard rest.number(1) != nil else { return nil }
      while rest.number(1) != nil {}
    }
    guard let offset = Self.offset(&rest), rest.isEmpty else { return nil }
    let days = Self.daysSince1970(year: year, month: month, day: day)
    seconds = ((days * 24 + hour) * 60 + minute) * 60 + second - offset
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let time = Timestamp(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "no RFC 3339 date")
    }
    self = time
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }

  package static func < (left: Timestamp, right: Timestamp) -> Bool { left.seconds < right.seconds }

  /// `2026-06-19T16:04:05Z`; years outside 1...9999 are clamped.
  package var description: String {
    let seconds = min(max(seconds, -62_135_596_800), 253_402_300_799)
    let (days, clock) = (seconds.floored(by: 86_400), seconds.remainder(by: 86_400))
    let (year, month, day) = Self.date(daysSince1970: days)
    // Byte by byte: lists have thousands of them.
    var text: [UInt8] = []
    text.reserveCapacity(20)
    let parts: [(Int64, Int, Unicode.Scalar)] = [
      (year, 4, "-"), (month, 2, "-"), (day, 2, "T"), (clock / 3600, 2, ":"),
      (clock / 60 % 60, 2, ":"), (clock % 60, 2, "Z"),
    ]
    for (number, width, end) in parts {
      if width == 4 { text.append(contentsOf: [number / 1000, number / 100 % 10].map(Self.digit)) }
      text.append(Self.digit(number / 10 % 10))
      text.append(Self.digit(number % 10))
      text.append(UInt8(ascii: end))
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func digit(_ number: Int64) -> UInt8 { 0x30 + UInt8(truncatingIfNeeded: number) }

  private static func offset(_ rest: inout ArraySlice<UInt8>) -> Int64? {
    if rest.skip("Z") || rest.skip("z") { return 0 }
    let sign: Int64
    if rest.skip("+") {
      sign = 1
    } else if rest.skip("-") {
      sign = -1
    } else {
      return nil
    }
    guard let hour = rest.number(2), rest.skip(":"), let minute = rest.number(2), hour < 24,
      minute < 60
    else { return nil }
    return sign * (hour * 60 + minute) * 60
  }
}

/// The proleptic Gregorian calendar, counted in years that begin in March.
extension Timestamp {
  private static func days(inMonth month: Int64, of year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private static func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let era = year.floored(by: 400)
    let ofEra = year - era * 400
    let ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
  }

  private static func date(daysSince1970 days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let days = days + 719_468
    let era = days.floored(by: 146_097)
    let ofEra = days - era * 146_097
    let year = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
    let ofYear = ofEra - (365 * year + year / 4 - year / 100)
    let month = (5 * ofYear + 2) / 153
    let day = ofYear - (153 * month + 2) / 5 + 1
    let civil = month < 10 ? month + 3 : month - 9
    return (year + era * 400 + (civil <= 2 ? 1 : 0), civil, day)
  }
}

extension Int64 {
  fileprivate func floored(by divisor: Int64) -> Int64 {
    self >= 0 ? self / divisor : (self - divisor + 1) / divisor
  }

  fileprivate func remainder(by divisor: Int64) -> Int64 { self - floored(by: divisor) * divisor }
}

extension ArraySlice<UInt8> {
  fileprivate mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard let first, UInt32(first) == character.value else { return false }
    removeFirst()
    return true
  }

  fileprivate mutating func number(_ digits: Int) -> Int64? {
    guard count >= digits else { return nil }
    var value: Int64 = 0
    for byte in prefix(digits) {
      guard (0x30...0x39).contains(byte) else { return nil }
      value = value * 10 + Int64(byte - 0x30)
    }
    removeFirst(digits)
    return value
  }
}
