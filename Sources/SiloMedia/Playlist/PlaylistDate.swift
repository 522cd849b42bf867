import struct Foundation.Date

/// Dates of playlists: ISO 8601 with optional fraction and zone (RFC 8216, 4.3.2.6).
enum PlaylistDate {
  /// Reads `2026-11-30T07:15:00.123+01:00`, also with a blank for the `T`, without colon in the zone, or without a zone, which
  /// then is UTC; `nil` for anything else.
  static func parse(_ text: String) -> Date? {
    var rest = ArraySlice(Array(text.utf8)).trimmed
    guard let year = digits(&rest, 4), eat(&rest, 0x2D), let month = digits(&rest, 2),
      eat(&rest, 0x2D), let day = digits(&rest, 2), (1...12).contains(month),
      (1...31).contains(day), eat(&rest, 0x54) || eat(&rest, 0x74) || eat(&rest, 0x20),
      let hour = digits(&rest, 2), eat(&rest, 0x3A), let minute = digits(&rest, 2),
      eat(&rest, 0x3A), let second = digits(&rest, 2), hour < 25, minute < 60, second < 61
    else { return nil }
    var fraction = 0.0
    if eat(&rest, 0x2E) {
      var unit = 0.1
      while let digit = digits(&rest, 1) {
        fraction += Double(digit) * unit
        unit /= 10
      }
    }
    guard let zone = zone(&rest) else { return nil }
    let days = daysSince1970(year: year, month: month, day: day)
    let seconds = days * 86400 + hour * 3600 + minute * 60 + second - zone
    return Date(timeIntervalSince1970: Double(seconds) + fraction)
  }

  /// Seconds east of Greenwich.
  private static func zone(_ rest: inout ArraySlice<UInt8>) -> Int? {
    if rest.isEmpty || eat(&rest, 0x5A) || eat(&rest, 0x7A) { return rest.isEmpty ? 0 : nil }
    let isWest = rest.first == 0x2D
    guard isWest || rest.first == 0x2B else { return nil }
    rest = rest.dropFirst()
    guard let hours = digits(&rest, 2) else { return nil }
    _ = eat(&rest, 0x3A)
    let minutes = rest.isEmpty ? 0 : digits(&rest, 2)
    guard let minutes, rest.isEmpty else { return nil }
    return (isWest ? -1 : 1) * (hours * 3600 + minutes * 60)
  }

  private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
    // Years that begin in March put the leap day last.
    let (y, m) = month > 2 ? (year, month - 3) : (year - 1, month + 9)
    return 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1 - 719_468
  }

  private static func digits(_ rest: inout ArraySlice<UInt8>, _ count: Int) -> Int? {
    let head = rest.prefix(count)
    guard head.count == count, let value = PlaylistNumber.integer(head) else { return nil }
    rest = rest.dropFirst(count)
    return Int(value)
  }

  private static func eat(_ rest: inout ArraySlice<UInt8>, _ byte: UInt8) -> Bool {
    guard rest.first == byte else { return false }
    rest = rest.dropFirst()
    return true
  }
}
