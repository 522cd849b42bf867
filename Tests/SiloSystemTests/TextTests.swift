import Foundation
import SiloSystem
import Testing

@Suite("Text")
struct TextTests {
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
}
