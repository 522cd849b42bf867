import Foundation
import SiloSystem
import Testing

@testable import SiloDownloads

@Suite("HTTP dates and lengths")
struct HTTPDateTests {
  @Test("the three forms of a date are read, and nothing else")
  func dates() {
    let rows: [(text: String, seconds: Int64?)] = [
      ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
      ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
      ("Sun Nov  6 08:49:37 1994", 784_111_777),
      ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Thu, 29 Feb 2024 23:59:60 GMT", 1_709_251_200),
      ("Sat, 01 Mar 2025 00:00:00 GMT", 1_740_787_200), ("tue, 19 jan 2038 03:14:08 GMT", 1 << 31),
      ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799), ("", nil), ("120", nil),
      ("Sun, 06 Nov 1994 08:49:37 PST", nil), ("Sun, 06 Nov 1994 24:00:00 GMT", nil),
      ("Sun, 32 Nov 1994 08:49:37 GMT", nil), ("Sun, 06 Foo 1994 08:49:37 GMT", nil),
      ("Sun, 06 Nov 99999999999999999999 08:49:37 GMT", nil), ("Sun, -6 Nov 1994 8:4 GMT", nil),
    ]
    for row in rows { #expect(HTTPDate(row.text)?.seconds == row.seconds, "\(row.text)") }
  }

  @Test("a date of any day agrees with Foundation's calendar")
  func calendar() {
    let style = DateFormatter()
    style.locale = Locale(identifier: "en_US_POSIX")
    style.timeZone = TimeZone(secondsFromGMT: 0)
    style.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    for seconds in stride(from: Int64(0), to: 8_000_000_000, by: 12_345_679) {
      let text = style.string(from: Date(timeIntervalSince1970: Double(seconds)))
      #expect(HTTPDate(text)?.seconds == seconds, "\(text)")
    }
  }

  @Test("Retry-After is a span; a date is one against the server's clock, else against this one")
  func retryAfter() {
    let (early, late) = ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:50:37 GMT")
    let rows: [(field: String, date: String?, wallClock: Int64, expected: Duration?)] = [
      ("7", nil, 0, .seconds(7)), ("0", nil, 0, nil), ("", nil, 0, nil), ("-7", nil, 0, nil),
      ("1.5", nil, 0, nil), ("soon", nil, 0, nil),
      ("99999999999999999999", nil, 0, .seconds(Int64.max / 4)),
      // This clock is an hour wrong, and the server's Date shows it.
      (late, early, 784_111_777 + 3600, .seconds(60)), (late, early, 0, .seconds(60)),
      (early, late, 0, nil), (late, nil, 784_111_777 + 20, .seconds(40)),
      (late, "today", 784_111_777 + 20, .seconds(40)), (late, nil, 784_111_777 + 3600, nil),
    ]
    for row in rows {
      var headers = [HTTPHeader("retry-after", row.field)]
      if let date = row.date { headers.append(HTTPHeader("Date", date)) }
      let head = HTTPResponseHead(
        status: 503, url: URL(filePath: "/"), headers: headers)
      #expect(head.retryAfter(wallClock: row.wallClock) == row.expected, "\(row)")
    }
  }

  @Test("a length beyond any file is told from one that is only long, and from none")
  func lengths() {
    let rows: [(name: String, value: String, isTooMuch: Bool)] = [
      ("Content-Length", "9223372036854775807", true),
      ("Content-Length", "99999999999999999999", true), ("Content-Length", "1099511627776", false),
      ("Content-Length", "-1", false), ("Content-Length", "", false),
      ("Content-Range", "bytes 0-1/99999999999999999999", true),
      ("Content-Range", "bytes 0-1/*", false), ("Content-Range", "bytes 0-1/1000", false),
    ]
    for row in rows {
      let head = HTTPResponseHead(
        status: 200, url: URL(filePath: "/"), headers: [HTTPHeader(row.name, row.value)])
      #expect(head.announcesTooMuch == row.isTooMuch, "\(row)")
    }
  }
}
