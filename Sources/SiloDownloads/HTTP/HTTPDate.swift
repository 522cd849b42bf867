/// A moment as HTTP writes it, RFC 9110 section 5.6.7: today's form and the two that servers had before.
struct HTTPDate: Sendable, Hashable {
  /// Seconds since the start of 1970.
  let seconds: Int64

  /// Reads a date in one of the three forms, whatever its day of the week; `nil` for anything else.
  ///
  /// They are `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`.
  init?(_ text: String) {
    let words = text.split { $0 == " " || $0 == "," || $0 == "-" || $0 == "\t" }
    guard words.count >= 5, words.count <= 6 else { return nil }
    // The oldest form has the month before the day and the year at the end.
    let isOldest = Int64(words[1]) == nil
    guard let month = Self.months.firstIndex(of: words[isOldest ? 1 : 2].lowercased()),
      let day = Self.number(words[isOldest ? 2 : 1]), (1...31).contains(day),
      var year = Self.number(words[isOldest ? 4 : 3]),
      let time = Self.time(words[isOldest ? 3 : 4])
    else { return nil }
    guard isOldest ? words.count == 5 : words.count == 5 || words[5] == "GMT" else { return nil }
    if year < 100 { year += year < 70 ? 2000 : 1900 }
    guard (1970...9999).contains(year) else { return nil }
    seconds = Self.days(year, Int64(month) + 1, day) * 86_400 + time
  }

  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  private static func number(_ text: Substring) -> Int64? {
    guard !text.isEmpty, text.utf8.count <= 4, text.utf8.allSatisfy({ (48...57).contains($0) })
    else { return nil }
    return Int64(text)
  }

  private static func time(_ text: Substring) -> Int64? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(number)
    guard parts.count == 3, let hour = parts[0], let minute = parts[1], let second = parts[2],
      hour < 24, minute < 60, second <= 60
    else { return nil }
    return hour * 3600 + minute * 60 + second
  }

  /// The days from the start of 1970 to a day of the Gregorian calendar, whose years start in March here.
  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }
}

extension HTTPResponseHead {
  /// The pause that the server asks for with Retry-After, counted from the arrival of this head; `nil` without one.
  ///
  /// A date is turned into a span once, against the server's own Date, so that neither a wrong clock here nor one that is set
  /// during the wait counts.
  ///
  /// - Parameter wallClock: The seconds since the start of 1970 here, for a server that does not tell its own.
  func retryAfter(wallClock: Int64) -> Duration? {
    guard let text = self["Retry-After"] else { return nil }
    if text.utf8.allSatisfy({ (48...57).contains($0) }) {
      // More digits than a number has are a very long time.
      let count = text.isEmpty ? 0 : Int64(text) ?? .max / 4
      return count > 0 ? .seconds(min(count, .max / 4)) : nil
    }
    guard let date = HTTPDate(text) else { return nil }
    let count = date.seconds - (self["Date"].flatMap(HTTPDate.init)?.seconds ?? wallClock)
    return count > 0 ? .seconds(count) : nil
  }
}
