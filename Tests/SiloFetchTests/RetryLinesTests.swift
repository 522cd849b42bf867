import SiloDownloads
import Synchronization
import Testing

@testable import silo_fetch

@Suite struct RetryLinesTests {
  private static func retry(_ reason: String, after pause: Duration, attempt: Int = 2) -> HTTPRetry
  {
    HTTPRetry(
      subject: "http://h/film.mkv", reason: reason, pause: pause, attempt: attempt, attempts: 10)
  }

  @Test func `requests that wait together are one line`() {
    let clock = Mutex(ContinuousClock.now)
    let lines = RetryLines { clock.withLock { $0 } }
    let rows: [(wait: Duration, retry: HTTPRetry, words: String?)] = [
      (
        .zero, Self.retry("HTTP 503", after: .milliseconds(180)),
        "in 0.2 s (2 of 10): http://h/film.mkv: HTTP 503"
      ),
      (.milliseconds(100), Self.retry("HTTP 503", after: .milliseconds(250)), nil),
      (
        .zero, Self.retry("cut\u{1b}[2J", after: .milliseconds(9_950)),
        "in 10 s (2 of 10): http://h/film.mkv: cut\\u{1b}[2J"
      ),
      (
        .milliseconds(100), Self.retry("HTTP 503", after: .seconds(30), attempt: 3),
        "in 30 s (3 of 10): http://h/film.mkv: HTTP 503"
      ),
    ]
    for row in rows {
      clock.withLock { $0 += row.wait }
      #expect(lines.words(row.retry) == row.words)
    }
  }

  @Test(arguments: [
    (["get", "a"], true), (["get", "a", "--json"], true), (["get", "a", "-q"], false),
    (["get", "a", "--json", "-q"], false), (["get", "a", "-n"], true), (["probe", "a"], true),
    (["probe", "a", "--json"], true), (["probe", "a", "-q"], false),
  ]) func `a retry is a line on stderr, and none when it is to be quiet`(
    words: [String], isTold: Bool
  ) async {
    let printed = Printed()
    var surroundings = printed.surroundings()
    surroundings.downloader = { options in
      options.retrying?(Self.retry("the server answers HTTP 503", after: .seconds(4)))
      return ScriptedDownloads()
    }
    let program = Program(table: .siloFetch, surroundings: surroundings)
    #expect(await program.run(words).status == 0)
    let line = "retrying in 4.0 s (2 of 10): http://h/film.mkv: the server answers HTTP 503\n"
    #expect(printed.errors.contains(line) == isTold, "\(printed.errors)")
    #expect(!printed.output.contains("retrying"))
  }
}
