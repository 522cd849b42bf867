import Foundation
import SiloSystem
import Testing

@Suite("Text")
struct TextTests {
  @Test("sizes are read as the command line promises")
  func parsing() {
    let rows: [(String, Int64?)] = [
      ("0", 0), ("1234", 1234), ("1K", 1024), ("4G", 4_294_967_296), ("700M", 734_003_200),
      ("1.5m", 1_572_864), ("1KB", 1000), ("2mb", 2_000_000), ("3 GB", 3_000_000_000),
      ("1GiB", 1_073_741_824), ("1T", 1_099_511_627_776), ("5B", 5), (".5K", 512),
      ("", nil), ("G", nil), ("-1", nil), ("1X", nil), ("1KBB", nil), ("1 2", nil), ("1.2.3K", nil),
      (".", nil), ("9999999999G", nil), ("99999999999999999999", nil), ("1e3", nil), ("٣", nil),
    ]
    for (text, byteCount) in rows { #expect(ByteCount.parse(text) == byteCount, "\(text)") }
  }

  @Test("sizes are written for people")
  func writing() {
    let rows: [(Int64, String)] = [
      (0, "0 B"), (1023, "1023 B"), (1024, "1.0 KiB"), (1_572_864, "1.5 MiB"),
      (1_048_575, "1.0 MiB"), (104_857_600, "100 MiB"), (5_368_709_120, "5.0 GiB"),
      (.max, "8.0 EiB"), (-2048, "-2.0 KiB"),
    ]
    for (byteCount, text) in rows { #expect(ByteCount.text(byteCount) == text) }
  }

  @Test("an address is shown without user, password, query and fragment")
  func addresses() throws {
    let rows = [
      ("https://u:p@a.example:8/x/y.m3u8?token=1#f", "https://a.example:8/x/y.m3u8"),
      ("http://a.example/?t=1", "http://a.example/"), ("file:///a%20b", "file:///a%20b"),
    ]
    for (url, text) in rows {
      #expect(try Redaction.text(of: #require(URL(string: url))) == text)
    }
  }

  @Test("what moves a terminal's cursor is shown escaped")
  func control() {
    let rows = [
      ("Türkçe 日本語 👍", "Türkçe 日本語 👍"), ("a\u{1b}[31mb\n", "a\\u{1b}[31mb\\u{a}"),
      ("\u{202e}gpj.exe", "\\u{202e}gpj.exe"), ("\u{85}\u{7f}", "\\u{85}\\u{7f}"),
    ]
    for (text, shown) in rows { #expect(Redaction.printable(text) == shown) }
  }

  @Test("text beyond every measure is cut in its middle, and says so")
  func length() throws {
    let long = String(repeating: "ab", count: 5000)
    let shown = Redaction.printable(long)
    #expect(shown.hasPrefix("abab") && shown.hasSuffix("abab"))
    #expect(shown.contains("[... 5904 more ...]") && shown.count <= Redaction.longest + 30)
    let zeros = Redaction.printable(String(repeating: "\0", count: 1_000_000))
    #expect(zeros.count <= Redaction.longest + 30)
    #expect(Redaction.cut("日本語", to: 3) == "日本語")
    let url = try #require(URL(string: "http://h/" + long))
    #expect(Redaction.text(of: url).count <= Redaction.longest + 30)
    #expect(Redaction.identity(of: url) == url.absoluteString)
  }

  @Test("a duration in seconds keeps its fraction")
  func seconds() {
    #expect(Duration.milliseconds(1500).seconds == 1.5)
    #expect(abs(Duration.milliseconds(-250).seconds + 0.25) < 1e-9)
  }

  @Test("the clock of the system does not go back, and a cancelled wait says so")
  func waiting() async throws {
    let waiting = Waiting.system
    let first = waiting.now()
    #expect(waiting.now() >= first)
    #expect((0..<1).contains(waiting.random()))
    let task = Task { try await waiting.sleep(.seconds(3600)) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
