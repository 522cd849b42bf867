import Foundation
import SiloSystem
import Testing

@testable import SiloDownloads

@Suite("HTTP rules")
struct HTTPRuleTests {
  private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

  @Test("an origin is scheme, host without case and port, and nothing else has one")
  func origins() throws {
    let rows: [(one: String, other: String, isSame: Bool)] = [
      ("http://A.example/x", "http://a.EXAMPLE:80/y?z#f", true),
      ("https://a.example", "https://a.example:443/", true),
      ("http://a.example", "https://a.example", false),
      ("http://a.example", "http://a.example:8080", false),
      ("http://a.example", "http://b.example", false),
      ("http://a.example", "http://a.example.evil.example", false),
      ("http://a.example", "http://a.example@evil.example", false),
      ("http://a.example.", "http://a.example", true),
      ("http://[::1]:80/", "http://[::1]/", true),
      ("http://u:p@a.example", "http://a.example", true),
    ]
    for row in rows {
      let same = try Origin(url(row.one)) == Origin(url(row.other))
      #expect(same == row.isSame, "\(row.one) \(row.other)")
    }
    for text in ["file:///x", "ftp://a/x", "data:,x", "x/y", "http:///x"] {
      #expect(try Origin(url(text)) == nil, "\(text)")
    }
  }

  @Test(
    "a redirect steps down to http only without credentials, and only http and https are followed")
  func redirects() throws {
    let rows: [(from: String, to: String?, secrets: Bool, code: DownloadError.Code?)] = [
      ("https://a.example/", "https://b.example/", true, nil),
      ("https://a.example/", "http://a.example/", true, .auth),
      ("https://a.example/", "http://b.example/", true, .auth),
      ("https://a.example/", "http://b.example/", false, nil),
      ("http://a.example/", "https://a.example/", true, nil),
      ("http://a.example/", "file:///etc/passwd", false, .unsupported),
      ("http://a.example/", "ftp://a.example/", false, .unsupported),
      ("http://a.example/", nil, false, .unavailable),
    ]
    let rule = RedirectRule(limit: 2)
    for row in rows {
      var code: DownloadError.Code?
      do {
        let next = try rule.next(
          to: row.to, after: [url(row.from)], carriesCredentials: row.secrets)
        #expect(next.absoluteString == row.to)
      } catch let error as DownloadError {
        code = error.code
      }
      #expect(code == row.code, "\(row.from) \(row.to ?? "nothing")")
    }
    let bracketed = try rule.next(
      to: "https://b/Show%20[1].mkv", after: [try url("http://a/")], carriesCredentials: false)
    #expect(bracketed.absoluteString == "https://b/Show%20%5B1%5D.mkv")
    let followed = try ["http://a/1", "http://a/2", "http://a/3"].map(url)
    #expect(throws: DownloadError.self) {
      try rule.next(to: "http://a/4", after: followed, carriesCredentials: false)
    }
  }

  @Test("each secret goes to the origin that it belongs to and nowhere else")
  func credentials() throws {
    var options = HTTPOptions()
    options.credentialOrigin = try url("https://u:p@home.example/list.m3u8")
    options.userHeaders = [HTTPHeader("Authorization", "x")]
    options.usesNetrc = true
    options.cookieFile = URL(fileURLWithPath: "/cookies")
    let own = [HTTPHeader("X-Own", "1")]
    // The address of the request, where it is sent; headers, user, netrc, cookies.
    let rows: [(String, String, [String], String?, Bool, Bool)] = [
      (
        "https://home.example/a", "https://home.example/a", ["X-Own", "Authorization"], "u", true,
        true
      ),
      ("https://home.example/a", "https://cdn.example/a", [], nil, false, true),
      ("https://home.example/a", "http://home.example/a", [], nil, false, false),
      ("https://home.example/a", "https://home.example:8443/a", [], nil, false, false),
      ("https://cdn.example/a", "https://cdn.example/a", ["X-Own"], nil, false, true),
      ("https://cdn.example/a", "https://home.example/a", ["Authorization"], "u", true, true),
      ("https://v:q@cdn.example/a", "https://cdn.example/b", ["X-Own"], "v", false, true),
      ("https://v:q@cdn.example/a", "https://other.example/b", [], nil, false, true),
    ]
    for row in rows {
      let request = HTTPRequest(try url(row.0), purpose: .media, headers: own)
      let grant = CredentialScope(options, request).grant(for: try url(row.1))
      let name = "\(row.0) to \(row.1)"
      #expect(grant.headers.map(\.name) == row.2, "\(name)")
      #expect(grant.userInfo?.user == row.3, "\(name)")
      #expect(grant.usesNetrc == row.4, "\(name)")
      #expect(grant.usesCookies == row.5, "\(name)")
    }
  }

  @Test("without an origin the user's headers belong nowhere")
  func ownerless() throws {
    var options = HTTPOptions()
    options.userHeaders = [HTTPHeader("Authorization", "x")]
    let request = HTTPRequest(try url("http://a.example/"), purpose: .media)
    #expect(CredentialScope(options, request).grant(for: request.url).isEmpty)
  }

  @Test("Content-Range is read as the standard writes it, and nonsense is nothing")
  func contentRange() {
    let rows: [(text: String, range: Range<Int64>?, total: Int64?)] = [
      ("bytes 0-99/1000", 0..<100, 1000), ("bytes 5-5/6", 5..<6, 6), ("Bytes 0-1/*", 0..<2, nil),
      ("bytes */1000", nil, 1000), (" bytes  0 - 99 / 1000 ", 0..<100, 1000),
      ("bytes=0-99/1000", 0..<100, 1000),
    ]
    for row in rows {
      let read = ContentRange(row.text)
      #expect(read != nil, "\(row.text)")
      #expect(read?.range == row.range, "\(row.text)")
      #expect(read?.total == row.total, "\(row.text)")
    }
    for text in [
      "", "bytes", "bytes 1-0/5", "bytes 0-5/5", "bytes -5/10", "bytes 0-/10", "bytes */*",
      "items 0-1/2", "bytes 0-1", "bytes 0-99999999999999999999/*",
      "bytes 0-9223372036854775807/*", "bytes a-b/c",
    ] {
      #expect(ContentRange(text) == nil, "\(text)")
    }
  }

  @Test("versions differ by length, by strong ETag, and by date where there is no strong ETag")
  func validators() {
    func version(_ tag: String?, _ date: String?, _ total: Int64?) -> HTTPValidators {
      HTTPValidators(entityTag: tag, lastModified: date, totalByteCount: total)
    }
    let rows: [(HTTPValidators, HTTPValidators, isSame: Bool, ifRange: String?)] = [
      (version("\"1\"", "d1", 5), version("\"1\"", "d1", 5), true, "\"1\""),
      (version("\"1\"", "d1", 5), version("\"1\"", "d1", 6), false, "\"1\""),
      (version("\"1\"", "d1", 5), version("\"2\"", "d1", 5), false, "\"1\""),
      // Servers behind one name may have different dates for one file.
      (version("\"1\"", "d1", 5), version("\"1\"", "d2", 5), true, "\"1\""),
      (version("W/\"1\"", "d1", 5), version("W/\"2\"", "d1", 5), true, "d1"),
      (version("W/\"1\"", "d1", nil), version("W/\"1\"", "d2", 5), false, "d1"),
      (version(nil, nil, nil), version("\"1\"", "d", 5), true, nil),
    ]
    for row in rows {
      #expect((row.0.difference(from: row.1) == nil) == row.isSame, "\(row.0) \(row.1)")
      #expect(row.0.ifRange == row.ifRange)
    }
  }

  @Test(
    "a date that is less than a minute old, or of unknown age, tells versions apart but not alike")
  func dates() throws {
    let day = "Mon, 01 Jan 2024 00:00:00 GMT"
    let rows: [(date: String?, isStrong: Bool)] = [
      (nil, false), ("Mon, 01 Jan 2024 00:00:00 GMT", false),
      ("Mon, 01 Jan 2024 00:00:59 GMT", false), ("Mon, 01 Jan 2024 00:01:00 GMT", true),
      ("Sun, 31 Dec 2023 23:59:00 GMT", false), ("soon", false),
      ("Tue, 02 Jan 2024 00:00:00 GMT", true),
    ]
    let url = try #require(URL(string: "http://media.test/film.mkv"))
    let later = HTTPValidators(
      entityTag: nil, lastModified: "Tue, 02 Jan 2024 00:00:00 GMT", totalByteCount: nil)
    for row in rows {
      let fields = [("Last-Modified", day), ("Date", row.date)]
      let head = HTTPResponseHead(
        status: 200, url: url,
        headers: fields.compactMap { name, value in value.map { HTTPHeader(name, $0) } })
      let found = head.validators
      #expect(found.ifRange == (row.isStrong ? day : nil), "\(row)")
      #expect(found.isSameVersion(as: found) == row.isStrong, "\(row)")
      #expect(found.difference(from: found) == nil && found.difference(from: later) != nil)
    }
  }

  @Test("a piece of a file has a small buffer, a rate limit a smaller one, within curl's bounds")
  func buffers() throws {
    let rows: [(range: Range<Int64>?, bytesPerSecond: Int64?, byteCount: Int)] = [
      (nil, nil, 256 << 10),
      (0..<Int64.max, nil, 256 << 10),
      (5..<Int64.max, nil, 256 << 10),
      (0..<(1 << 30), nil, 64 << 10),
      (nil, 100_000_000, 256 << 10),
      (0..<(1 << 30), 100_000_000, 64 << 10),
      (nil, 320_000, 20_000),
      (0..<(1 << 30), 320_000, 20_000),
      (nil, 1, 1 << 10),
    ]
    for row in rows {
      let request = HTTPRequest(try url("http://a.example/x"), purpose: .media, range: row.range)
      #expect(
        EasyHandle.bufferByteCount(request, row.bytesPerSecond) == row.byteCount, "\(row)")
    }
  }

  @Test("pauses double up to a bound, and chance takes at most half of them")
  func pauses() {
    let rows: [(failures: Int, random: Double, pause: Duration)] = [
      (1, 0, .milliseconds(125)), (1, 1, .milliseconds(250)), (2, 1, .milliseconds(500)),
      (5, 1, .seconds(4)), (8, 1, .seconds(30)), (1000, 0, .seconds(15)),
    ]
    for row in rows {
      #expect(RetryRule.pause(row.failures, random: row.random) == row.pause)
    }
  }

  @Test("attempts are counted without progress, and a trickle does not make them endless")
  func budget() {
    var options = HTTPOptions()
    options.attempts = 3
    var stuck = RetryRule(options)
    let verdicts = (0..<3).map { _ in stuck.verdict(reaching: 0, retryAfter: nil, random: 0) }
    #expect(verdicts.last == .giveUp)
    #expect(verdicts.dropLast().allSatisfy { $0 != .giveUp })

    var trickle = RetryRule(options)
    let trickled = (1...3).map { trickle.verdict(reaching: $0, retryAfter: nil, random: 0) }
    #expect(trickled.last == .giveUp)

    var steady = RetryRule(options)
    let step = RetryRule.progressByteCount
    let steadied = (1...50).map {
      steady.verdict(reaching: $0 * step, retryAfter: nil, random: 0)
    }
    #expect(!steadied.contains(.giveUp))
  }

  @Test(
    "the rate bucket lets a piece into debt, makes the next one wait, and saves up only so much")
  func bucket() {
    var bucket = RateBucket(bytesPerSecond: 1000, at: .zero)
    // In milliseconds; a clock that goes back gives nothing.
    let rows: [(time: Int, byteCount: Int, isTaken: Bool, wait: Int)] = [
      (0, 1250, true, 1001), (500, 1, false, 501), (999, 1, false, 2), (1001, 1, true, 0),
      (100_000, 0, true, 0), (200_000, 250, true, 1), (200_000, 1, false, 1),
      (100_000, 1, false, 1),
    ]
    for row in rows {
      let isTaken = bucket.take(row.byteCount, at: .milliseconds(row.time))
      let wait = bucket.wait(at: .milliseconds(row.time))
      #expect(isTaken == row.isTaken, "\(row)")
      #expect(abs((wait - .milliseconds(row.wait)).seconds) < 0.0001, "\(row)")
    }
  }

  @Test("the bucket's average is its rate")
  func bucketAverage() {
    var bucket = RateBucket(bytesPerSecond: 10_000, at: .zero)
    var taken = 0
    for millisecond in 0..<10_000 where bucket.take(700, at: .milliseconds(millisecond)) {
      taken += 700
    }
    #expect((100_000...104_000).contains(taken))
  }
}
