import Foundation
import SiloMedia
import Testing

@Suite("Playlist syntax")
struct PlaylistSyntaxTests {
  static let url = URL(string: "https://h.example/v/list.m3u8?token=s3cr3t")

  private func parse(
    _ text: String, url: URL? = Self.url, variables: [String: String] = [:]
  ) throws -> Playlist {
    try Playlist.parse(Array(text.utf8), url: try #require(url), variables: variables)
  }

  private func media(_ text: String, variables: [String: String] = [:]) throws -> MediaPlaylist {
    guard case .media(let media) = try parse(text, variables: variables) else {
      throw MediaError(.internal, "no media playlist")
    }
    return media
  }

  private static let plain = """
    #EXTM3U
    #EXT-X-TARGETDURATION:4
    #EXT-X-MEDIA-SEQUENCE:7
    #EXTINF:4.004,
    a.ts
    #EXTINF:3.5,Title, with comma
    b.ts?x=1,2
    #EXT-X-ENDLIST

    """

  @Test("Each quirk is accepted with a warning and changes nothing else")
  func quirks() throws {
    let clean = try media(Self.plain)
    #expect(clean.warnings.isEmpty)
    #expect(clean.segments.map(\.title) == [nil, "Title, with comma"])
    let rows: [(name: String, text: String, line: Int, isHarmless: Bool)] = [
      ("mark", "\u{FEFF}" + Self.plain, 1, true),
      ("CRLF", Self.plain.replacing("\n", with: "\r\n"), 1, true),
      ("CR", Self.plain.replacing("\n", with: "\r"), 1, true),
      ("blank lines first", "\n\n" + Self.plain, 1, true),
      ("comment first", "# hello\n" + Self.plain, 1, true),
      ("trailing blanks", Self.plain.replacing("a.ts", with: "a.ts \t"), 5, true),
      ("leading blanks", Self.plain.replacing("a.ts", with: "  a.ts"), 5, true),
      ("no comma", Self.plain.replacing("4.004,", with: "4.004"), 4, true),
      ("text before comma", Self.plain.replacing("4.004,", with: "4.004 tvg=\"a,b\","), 4, true),
      ("unknown tag", Self.plain.replacing("#EXT-X-M", with: "#EXT-X-NEW:1\n#EXT-X-M"), 3, true),
      ("fraction", Self.plain.replacing("DURATION:4", with: "DURATION:4.0"), 2, true),
      ("no header", String(Self.plain.dropFirst(8)), 1, false),
    ]
    for row in rows {
      let found = try media(row.text)
      #expect(found.segments.map(\.url) == clean.segments.map(\.url), "\(row.name)")
      #expect(found.segments.map(\.duration) == clean.segments.map(\.duration), "\(row.name)")
      #expect(found.segments.map(\.mediaSequence) == [7, 8], "\(row.name)")
      #expect(found.completeness == .ended, "\(row.name)")
      #expect(found.targetDuration == .seconds(4), "\(row.name)")
      #expect(found.warnings.map(\.line) == [row.line], "\(row.name): \(found.warnings)")
      #expect(found.warnings.map(\.isHarmless) == [row.isHarmless], "\(row.name)")
    }
    let short = try media(String(Self.plain.dropLast(1)))
    #expect(short.segments == clean.segments && short.completeness == .ended)
  }

  @Test("Durations are read exactly in every form")
  func durations() throws {
    let rows: [(String, Duration, warns: Bool)] = [
      ("10", .seconds(10), false), (".640", .milliseconds(640), false),
      ("9.009", .milliseconds(9009), false), ("-1", .zero, true), ("foo", .seconds(4), true),
      ("", .seconds(4), true), ("0", .zero, false), ("3.", .seconds(3), false),
    ]
    for (text, wanted, warns) in rows {
      let found = try media(Self.plain.replacing("4.004", with: text))
      #expect(found.segments[0].duration == wanted, "\(text)")
      #expect(found.segments[1].start == wanted, "\(text)")
      #expect(found.warnings.contains { !$0.isHarmless } == warns, "\(text)")
    }
    var long = "#EXTM3U\n#EXT-X-TARGETDURATION:7\n"
    for index in 0..<3000 { long += "#EXTINF:6.006,\n\(index).ts\n" }
    #expect(try media(long).duration == .milliseconds(18_018_000))
  }

  @Test("What is no playlist is refused, naming the line and showing it without secrets")
  func refused() {
    let rows: [(text: String, line: Int, shows: String)] = [
      ("", 1, "empty"), ("\n \n", 1, "empty"), ("#EXTM3U\n", 1, "#EXTM3U"),
      ("<!DOCTYPE html>\n<html>", 1, "<!DOCTYPE html>"), ("{\"error\":\"no\"}", 1, "{"),
      ("a.ts\nb.ts", 1, "a.ts"),
      ("#EXTM3U\n#EXTINF:1,\na.ts\n#EXT-X-STREAM-INF:BANDWIDTH=1\nb.m3u8", 4, "STREAM-INF"),
      ("#EXTM3U\n#EXTINF:1,\n#EXT-X-BYTERANGE:x\na.ts", 3, "BYTERANGE:x"),
      ("#EXTM3U\n#EXTINF:1,\n#EXT-X-BYTERANGE:9@9223372036854775807\na.ts", 3, "beyond"),
      ("#EXTM3U\n#EXTINF:1,\n#EXT-X-BYTERANGE:100\na.ts?token=s3cr3t", 3, "nothing to continue"),
      ("#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd", 3, "local file"),
      ("#EXTM3U\n#EXTINF:1,\nftp://u:s3cr3t@h/a?s3cr3t", 3, "ftp"),
      ("#EXTM3U\n#EXTINF:1,\n../../x", 3, "climbs"),
      ("#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI=\"../../x\"\n#EXTINF:1,\na", 2, "climbs"),
      ("#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI=\"file:///etc/passwd\"\n#EXTINF:1,\na", 2, "local"),
      ("#EXTM3U\n#EXT-X-KEY:METHOD=AES-128\n#EXTINF:1,\na", 2, "no URI"),
      ("#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=12\n#EXTINF:1,\na", 2, "IV"),
      (
        "#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n#EXT-X-MAP:URI=\"i\"\n#EXTINF:1,\na", 3, "IV"
      ),
      ("#EXTM3U\n#EXT-X-MAP:BYTERANGE=\"1@0\"\n#EXTINF:1,\na", 2, "no URI"),
      ("#EXTM3U\n#EXTINF:1,\n{$who}.ts", 3, "who"),
      ("#EXTM3U\n#EXT-X-DEFINE:QUERYPARAM=\"no\"\n#EXTINF:1,\na", 2, "no"),
      (
        "#EXTM3U\n#EXT-X-DEFINE:NAME=\"t\",VALUE=\"s3cr3t\"\n#EXT-X-DEFINE:NAME=\"t\",VALUE=\"s3cr3t\"\n#EXTINF:1,\na",
        3, "second time"
      ),
      ("#EXTM3U\n#EXTINF:1,\na\u{1}\u{202E}?x=s3cr3t\n#EXT-X-SKIP:SKIPPED-SEGMENTS=1", 4, "whole"),
      ("#EXTM3U\n#EXTINF:1,\nmailto:\u{7}x", 3, "\\u{7}"),
    ]
    for row in rows {
      let error = #expect(throws: MediaError.self, "\(row.text)") { try parse(row.text) }
      let message = error?.description ?? ""
      #expect(error?.code == .malformed, "\(row.text)")
      #expect(message.contains("line \(row.line): "), "\(message)")
      #expect(message.contains(row.shows), "\(message)")
      #expect(!message.contains("s3cr3t"), "\(message)")
      #expect(message.unicodeScalars.allSatisfy { $0.value >= 0x20 }, "\(message)")
    }
  }

  @Test("Variables are replaced from every source in URIs and attributes")
  func variables() throws {
    let found = try media(
      """
      #EXTM3U
      #EXT-X-DEFINE:NAME="dir",VALUE="d/e"
      #EXT-X-DEFINE:IMPORT="auth"
      #EXT-X-DEFINE:QUERYPARAM="token"
      #EXT-X-MAP:URI="{$dir}/init.mp4"
      #EXT-X-TARGETDURATION:4
      #EXTINF:4,
      {$dir}/a.ts{$auth}&t={$token}
      """, variables: ["auth": "?a=1"])
    #expect(
      found.segments[0].url.absoluteString == "https://h.example/v/d/e/a.ts?a=1&t=s3cr3t")
    #expect(
      found.segments[0].initSection?.url.absoluteString == "https://h.example/v/d/e/init.mp4")
  }

  @Test("A list of 100000 segments, and one long line, take no time to speak of")
  func large() throws {
    var text = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n"
    for index in 0..<100_000 { text += "#EXTINF:4,\n\(index).ts\n" }
    let bytes = Array(text.utf8)
    let url = try #require(Self.url)
    let clock = ContinuousClock()
    var count = 0
    let time = try clock.measure {
      if case .media(let media) = try Playlist.parse(bytes, url: url) {
        count = media.segments.count
      }
    }
    #expect(count == 100_000)
    // Unoptimised and on a shared machine; quadratic work would take minutes.
    #expect(time < .seconds(30))
    let attributes = String(repeating: "A=\"b\",", count: 200_000)
    let master = try parse("#EXTM3U\n#EXT-X-STREAM-INF:\(attributes)BANDWIDTH=1\na.m3u8")
    if case .multivariant(let playlist) = master {
      #expect(playlist.variants.count == 1)
    } else {
      Issue.record("no multivariant playlist")
    }
  }

  @Test("Damaged bytes never crash and never hang")
  func mutations() async throws {
    var random = Seeded(state: 42)
    let url = try #require(Self.url)
    let seeds = try PlaylistVectorsTests.rows().map(\.file).filter { !$0.contains("large") }
    let pieces: [[UInt8]] = [
      Array("\n".utf8), Array("\r".utf8), Array("\"".utf8), Array(",".utf8), Array("{$".utf8),
      Array("99999999999999999999".utf8), Array("-".utf8), Array("@".utf8), [0], [0xFF], [0xEF],
      Array("#EXT-X-BYTERANGE:9223372036854775807\n".utf8), Array("../".utf8), Array("0x".utf8),
    ]
    var outcomes = (parsed: 0, refused: 0)
    for _ in 0..<600 {
      let file = try #require(seeds.randomElement(using: &random))
      var bytes = Array(try await PlaylistVectorsTests.bytes(of: file).prefix(4000))
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let place = Int.random(in: 0...bytes.count, using: &random)
        let end = min(bytes.count, place + Int.random(in: 0...12, using: &random))
        bytes.replaceSubrange(place..<end, with: pieces.randomElement(using: &random) ?? [])
      }
      do {
        _ = try Playlist.parse(bytes, url: url)
        outcomes.parsed += 1
      } catch {
        #expect(error.code == .malformed)
        #expect(error.message.contains("line ") || error.message.contains("larger"))
        outcomes.refused += 1
      }
      _ = try? WebVTTDocument.parse(bytes)
    }
    #expect(outcomes.parsed > 100)
    #expect(outcomes.refused > 20)
  }

  /// The same numbers on every run.
  private struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
  }
}
