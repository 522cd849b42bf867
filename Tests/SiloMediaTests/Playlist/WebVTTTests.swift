import SiloMedia
import Testing

@Suite("WebVTT")
struct WebVTTTests {
  private func parse(_ text: String) throws -> WebVTTDocument {
    try WebVTTDocument.parse(Array(text.utf8))
  }

  @Test("Documents are read whatever their line ends, mark, header and number forms")
  func forms() throws {
    let plain = "WEBVTT\n\n1\n00:01.500 --> 00:00:02.000 line:0\nHello\nworld\n\n"
    let wanted = WebVTTCue(
      start: .milliseconds(1500), end: .seconds(2), id: "1", settings: "line:0",
      text: "Hello\nworld")
    let rows: [(name: String, text: String)] = [
      ("plain", plain),
      ("mark", "\u{FEFF}" + plain),
      ("CRLF", plain.replacing("\n", with: "\r\n")),
      ("CR", plain.replacing("\n", with: "\r")),
      ("comma", plain.replacing(".", with: ",")),
      ("no header", String(plain.dropFirst(8))),
      ("no final line end", String(plain.dropLast(2))),
      ("header text", plain.replacing("WEBVTT\n", with: "WEBVTT - made by hand\nKind: captions\n")),
      ("one digit", plain.replacing("01.500", with: "1.5")),
    ]
    for row in rows {
      #expect(try parse(row.text).cues == [wanted], "\(row.name)")
    }
    #expect(try parse("").cues.isEmpty)
    #expect(try parse("WEBVTT\n").cues.isEmpty)
  }

  @Test("The timestamp map is read in either order and masked to 33 bits")
  func map() throws {
    let rows: [(String, Duration, Int64)] = [
      ("X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000", .zero, 900_000),
      ("X-TIMESTAMP-MAP=MPEGTS:900000,LOCAL:00:00:10.500", .milliseconds(10_500), 900_000),
      ("X-TIMESTAMP-MAP=MPEGTS:8589934593, LOCAL:01:00.000", .seconds(60), 1),
    ]
    for (line, local, ticks) in rows {
      let map = try parse("WEBVTT\n\(line)\n\n00:00.000 --> 00:01.000\nx\n").timestampMap
      #expect(map == .init(local: local, mpegTS: ticks), "\(line)")
    }
    let broken = try parse("WEBVTT\nX-TIMESTAMP-MAP=LOCAL:zero,MPEGTS:1\n\n")
    #expect(broken.timestampMap == nil)
    #expect(broken.warnings.map(\.line) == [2])
  }

  @Test("Comments, styles and regions are skipped, and broken cues cost only themselves")
  func blocks() throws {
    let document = try parse(
      """
      WEBVTT

      NOTE made
      by hand

      STYLE
      ::cue { color: red }

      REGION
      id:fred

      00:01.000 --> 00:02.000
      one
      00:03.000 --> 00:04.000
      two

      00:09.000 --> 00:08.000
      backwards

      00:xx.000 --> 00:08.000
      unreadable

      00:05.000 --> 00:06.000

      00:07.000-->00:08.000
      three
      """)
    #expect(document.cues.map(\.text) == ["one", "two", "", "three"])
    #expect(document.warnings.map(\.line) == [17, 20])
  }

  @Test("What is no WebVTT is refused with its first line")
  func refused() {
    for text in ["<!DOCTYPE html>\n<p>Not found</p>", "\n\n{\"error\":1}"] {
      let error = #expect(throws: MediaError.self) { try parse(text) }
      #expect(error?.code == .malformed)
      #expect(error?.message.contains("line \(text.hasPrefix("\n") ? 3 : 1): ") == true)
    }
  }

  @Test("Text keeps bold, italic, underline and colours for SubRip and nothing for plain text")
  func text() {
    let rows: [(text: String, subRip: String, plain: String)] = [
      ("<b>A</b> <i.x>B</i> <u>C</u>", "<b>A</b> <i>B</i> <u>C</u>", "A B C"),
      ("<v Fred>Hi</v> <c.red>there</c>", "Hi <font color=\"#ff0000\">there</font>", "Hi there"),
      ("<lang en>one <00:00:01.000>two", "one two", "one two"),
      ("<ruby>漢<rt>kan</rt></ruby>字", "漢(kan)字", "漢(kan)字"),
      ("<i>open", "<i>open</i>", "open"),
      ("<b><i>x</b>y</i>", "<b><i>x</i></b><i>y</i>", "xy"),
      ("stray</b> end", "stray end", "stray end"),
      ("1 < 2 &amp; 3 &gt; 2 &lt;ok&gt;", "1 < 2 & 3 > 2 <ok>", "1 < 2 & 3 > 2 <ok>"),
      (
        "&nbsp;&lrm;&#9731;&#x2603;&bogus; AT&T", "\u{A0}\u{200E}☃☃&bogus; AT&T",
        "\u{A0}\u{200E}☃☃&bogus; AT&T"
      ),
      ("a\n<c> </c>\nb", "a\nb", "a\nb"),
      ("a <b", "a <b", "a <b"),
    ]
    for row in rows {
      let cue = WebVTTCue(start: .zero, end: .seconds(1), text: row.text)
      #expect(cue.subRipText == row.subRip, "\(row.text)")
      #expect(cue.plainText == row.plain, "\(row.text)")
    }
  }

  @Test("A cue over a segment edge stands once, whether repeated whole or cut")
  func joining() {
    func cue(_ start: Int, _ end: Int, _ text: String) -> WebVTTCue {
      WebVTTCue(start: .seconds(start), end: .seconds(end), text: text)
    }
    let rows: [(name: String, segments: [[WebVTTCue]], wanted: [WebVTTCue])] = [
      (
        "whole", [[cue(0, 2, "a"), cue(5, 8, "b")], [cue(5, 8, "b"), cue(9, 10, "c")]],
        [cue(0, 2, "a"), cue(5, 8, "b"), cue(9, 10, "c")]
      ),
      ("cut", [[cue(5, 6, "b")], [cue(6, 12, "b")], [cue(12, 13, "b")]], [cue(5, 13, "b")]),
      ("cut on one side", [[cue(5, 6, "b")], [cue(5, 8, "b")]], [cue(5, 8, "b")]),
      ("said twice", [[cue(0, 1, "no"), cue(1, 2, "no")]], [cue(0, 1, "no"), cue(1, 2, "no")]),
      (
        "said twice, both repeated",
        [[cue(0, 1, "no"), cue(3, 4, "no")], [cue(0, 1, "no"), cue(3, 4, "no")]],
        [cue(0, 1, "no"), cue(3, 4, "no")]
      ),
      ("far apart", [[cue(0, 1, "no")], [cue(7, 8, "no")]], [cue(0, 1, "no"), cue(7, 8, "no")]),
      ("out of order", [[cue(5, 6, "b")], [cue(1, 2, "a")]], [cue(1, 2, "a"), cue(5, 6, "b")]),
    ]
    for row in rows {
      #expect(CueList.joining(row.segments) == row.wanted, "\(row.name)")
    }
  }
}
