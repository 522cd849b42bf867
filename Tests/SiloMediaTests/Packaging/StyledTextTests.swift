import Foundation
import SiloTestSupport
import Synchronization
import Testing

@testable import SiloMedia

@Suite struct StyledTextTests {
  private struct Row {
    var name: String
    var dialect: StyledTextReader.Dialect = .subRip
    var text: String
    var settings: String?
    var subRip: String
    var losses: Set<StyledText.Loss> = []
  }

  private static let rows = [
    Row(name: "above", text: #"{\an8}Up"#, subRip: #"{\an8}Up"#),
    Row(name: "the usual place", text: #"{\an2}Down"#, subRip: "Down"),
    Row(name: "the first place counts", text: #"{\an8}a{\an1}b"#, subRip: #"{\an8}ab"#),
    Row(name: "places of SSA", text: #"{\a6}a"#, subRip: #"{\an8}a"#),
    Row(name: "places of SSA in the middle", text: #"{\a10}a"#, subRip: #"{\an5}a"#),
    Row(name: "no place of any", text: #"{\an99}a{\an-1}{\an}"#, subRip: "a"),
    Row(
      name: "looks by override", text: #"{\i1}a{\i0}{\b700}b{\r}c{\u1}d"#,
      subRip: "<i>a</i><b>b</b>c<u>d</u>"),
    Row(
      name: "colours by override", text: #"{\c&H0000FF&}a{\1c&HFF0000&}b{\c}c"#,
      subRip: ##"<font color="#ff0000">a</font><font color="#0000ff">b</font>c"##),
    Row(
      name: "what nothing else can say", text: #"{\fs40\t(0,100,\i1)}a{\bord2}"#, subRip: "a",
      losses: [.effect]),
    Row(name: "free places", text: #"{\pos(10,20)}a"#, subRip: "a", losses: [.position]),
    Row(name: "braces that are text", text: "{a} {\\b", subRip: "{a} {\\b"),
    Row(
      name: "fonts of HTML", text: ##"<FONT COLOR="#00FF7f">a</FONT> <font color=red>b</font>"##,
      subRip: ##"<font color="#00ff7f">a</font> <font color="#ff0000">b</font>"##),
    Row(
      name: "sizes", text: #"<font size="9" color='Lime'>a</font>"#,
      subRip: ##"<font color="#00ff00">a</font>"##, losses: [.effect]),
    Row(name: "crossed", text: "<b><i>x</b>y</i>", subRip: "<b><i>x</i></b><i>y</i>"),
    Row(name: "over lines", text: "<i>a\r\nb</i>", subRip: "<i>a\nb</i>"),
    Row(name: "hearts", text: "I <3 you > me", subRip: "I <3 you > me"),
    Row(name: "struck out", text: "<s>a</s>", subRip: "a", losses: [.effect]),
    Row(name: "nothing to show", text: #"{\an8}<i> </i>"#, subRip: ""),
    Row(
      name: "above", dialect: .webVTT, text: "a", settings: "line:0 position:20%",
      subRip: #"{\an8}a"#),
    Row(
      name: "below", dialect: .webVTT, text: "a", settings: "line:-2 align:center", subRip: "a"),
    Row(
      name: "at the side", dialect: .webVTT, text: "a", settings: "line:50%,center align:right",
      subRip: #"{\an6}a"#),
    Row(
      name: "upright", dialect: .webVTT, text: "a", settings: "vertical:rl", subRip: "a",
      losses: [.position]),
    Row(
      name: "classes", dialect: .webVTT, text: "<c.yellow.bg_black>a</c>",
      subRip: ##"<font color="#ffff00">a</font>"##, losses: [.effect]),
    Row(name: "made of SubRip", dialect: .webVTT, text: #"{\an8}a"#, subRip: #"{\an8}a"#),
    Row(
      name: "an event", dialect: .ass, text: #"{comment}a\Nb\h{\i1}&amp;"#,
      subRip: "a\nb <i>&amp;</i>"),
  ]

  @Test(arguments: rows.indices) func `Markup is read, and what is not kept is known`(index: Int) {
    let row = Self.rows[index]
    let text = StyledTextReader.read(row.text, as: row.dialect, settings: row.settings)
    #expect(text.subRip == row.subRip, "\(row.name)")
    #expect(text.losses == row.losses, "\(row.name)")
  }

  @Test func `Deep nesting and endless tags cost no more than their bytes`() {
    let deep = String(repeating: "<b><font color=red>", count: 50_000) + "x"
    #expect(StyledTextReader.read(deep, as: .subRip).plain == "x")
    let braces = String(repeating: "{\\", count: 100_000)
    #expect(StyledTextReader.read(braces, as: .subRip).plain == braces)
  }

  @Test func `Looks lie in a styl box, by characters, and are read again`() throws {
    let text = StyledTextReader.read(
      ##"ığ <b><i>çok</i></b>😀 <u><font color="#123456">x</font></u>"##, as: .subRip)
    let sample = TextSample.movText(text)
    let plain = "ığ çok😀 x"
    let box: [UInt8] =
      [0, 0, 0, 34] + Array("styl".utf8) + [0, 2]
      + [0, 3, 0, 6, 0, 1, 3, 18, 255, 255, 255, 255]
      + [0, 8, 0, 9, 0, 1, 4, 18, 0x12, 0x34, 0x56, 255]
    #expect(sample == [0, UInt8(plain.utf8.count)] + Array(plain.utf8) + box)
    #expect(TextSample.text(ofMovText: sample) == text)
    #expect(
      TextSample.movText(StyledTextReader.read("plain", as: .subRip)) == [0, 5]
        + Array("plain".utf8))
    // Cut inside a character, looks with it.
    let long = StyledTextReader.read(
      "<i>" + String(repeating: "é", count: 40_000) + "</i>", as: .subRip)
    let cut = try #require(TextSample.text(ofMovText: TextSample.movText(long)))
    #expect(cut.plain.utf8.count == 65_534 && cut.runs.map(\.style.isItalic) == [true])
  }

  @Test func `Samples that lie about their boxes are texts without looks`() {
    let text: [UInt8] = [0, 1, 0x61]
    for tail: [UInt8] in [
      [0, 0, 0, 0] + Array("styl".utf8), [255, 255, 255, 255] + Array("styl".utf8) + [0, 1],
      [0, 0, 0, 8] + Array("styl".utf8),
      [0, 0, 0, 22] + Array("styl".utf8) + [255, 255] + [0, 9, 0, 1, 0, 1, 2, 18, 0, 0, 0, 0],
    ] {
      #expect(TextSample.text(ofMovText: text + tail)?.subRip == "a")
    }
  }

  @Test func `WebVTT is written with places and the colours that it names`() {
    let rows: [(text: String, shown: String, settings: String?)] = [
      (#"{\an8}<i>a</i> & b --> c"#, "<i>a</i> &amp; b → c", "line:0"),
      (##"{\an4}<font color="#ffff00">a</font>"##, "<c.yellow>a</c>", "line:50% align:start"),
      (##"<font color="#123456">a</font>"##, "a", nil), (#"{\an3}a"#, "a", "align:end"),
    ]
    for row in rows {
      let text = StyledTextReader.read(row.text, as: .subRip)
      #expect(text.webVTT == row.shown && text.webVTTSettings == row.settings, "\(row.text)")
    }
  }

  private static func film(_ folder: TemporaryFolder) async throws -> String {
    try folder.write(
      "s.srt",
      """
      1
      00:00:00,500 --> 00:00:01,000
      {\\an8}<i>Up</i> <font color="#ff0000">red</font>

      2
      00:00:01,200 --> 00:00:01,800
      <b>Fat</b> <u>line</u>

      """)
    try await Media.make(
      "-f lavfi -i testsrc2=s=64x48:r=25:d=2 -i s.srt -map 0 -map 1 -c:v libx264 -preset ultrafast -c:s srt film.mkv",
      in: folder.path)
    return folder.path("film.mkv")
  }

  @Test func `SubRip in MP4 keeps its looks, shows no override, and loses its place aloud`()
    async throws
  {
    let folder = try TemporaryFolder()
    let (mp4, mkv) = (folder.path("o.mp4"), folder.path("o.mkv"))
    var source = try await Self.film(folder)
    let first = try await run(
      "ffmpeg", ["-v", "error", "-i", source, "-map", "0:s:0", "-c", "copy", "-f", "srt", "-"])
    for (container, file) in [(OutputContainer.mp4, mp4), (.mkv, mkv)] {
      let warnings = Mutex<[String]>([])
      let plan = PackagePlan(
        inputs: [.file(try .file(URL(fileURLWithPath: source)))],
        tracks: [
          PackageTrack(id: TrackID(.video, 0), input: 0, ordinal: 0, isDefault: true),
          PackageTrack(id: TrackID(.subtitle, 0), input: 0, ordinal: 0),
        ], container: container)
      _ = try await plan.write(to: URL(fileURLWithPath: file)) { _ in
      } warning: { text in
        warnings.withLock { $0.append(text) }
      }
      let said = warnings.withLock { $0 }
      // The first time from the film into MP4, then from MP4 into Matroska.
      #expect(said.count == (container == .mp4 ? 1 : 0), "\(said)")
      #expect(said.allSatisfy { $0.contains("positions") && $0.contains("s0") })
      source = file
    }
    // Judged by ffmpeg's own decoder.
    let shown = try await run(
      "ffmpeg", ["-v", "error", "-i", mp4, "-map", "0:s:0", "-f", "srt", "-"]
    ).stdout
    #expect(!shown.contains("an8"))
    for part in ["<i>Up</i>", "<b>Fat</b>", "<u>line</u>", "color=\"#ff0000\">red</font>"] {
      #expect(shown.contains(part), "\(shown)")
    }
    let again = try await run(
      "ffmpeg", ["-v", "error", "-i", mkv, "-map", "0:s:0", "-c", "copy", "-f", "srt", "-"])
    #expect(again.stdout == first.stdout.replacing("{\\an8}", with: ""))
  }

  @Test func `SubRip in Matroska is what it was, byte for byte`() async throws {
    let folder = try TemporaryFolder()
    let film = try await Self.film(folder)
    let file = folder.path("o.mkv")
    let warnings = Mutex<[String]>([])
    _ = try await PackagePlan(
      inputs: [.file(try .file(URL(fileURLWithPath: film)))],
      tracks: [PackageTrack(id: TrackID(.subtitle, 0), input: 0, ordinal: 0)], container: .mkv
    ).write(to: URL(fileURLWithPath: file)) { _ in
    } warning: { text in
      warnings.withLock { $0.append(text) }
    }
    #expect(try await Probe.packetHashes(film, "s:0") == Probe.packetHashes(file, "s:0"))
    #expect(warnings.withLock { $0 } == [])
  }
}
