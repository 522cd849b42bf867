import Foundation
import SiloTestSupport
import Testing

/// Promise 2: what was chosen is what is stored; judged by ffprobe and ffmpeg.
@Suite("Every language in one file")
struct EveryLanguageTests {
  struct Row: Sendable, CustomStringConvertible {
    var recipe: HLSRecipe
    var container: String
    var description: String {
      "\(recipe.form) \(recipe.cipher) muxed:\(recipe.isMuxed) → \(container)"
    }
  }

  static let rows: [Row] = {
    var recipes = HLSRecipe.Form.allCases.flatMap { form in
      HLSRecipe.Cipher.allCases.map { HLSRecipe(form, cipher: $0) }
    }
    recipes.append(HLSRecipe(.ts, cipher: .implicitVector, segmentsPerKey: 2))
    recipes.append(.muxed)
    return recipes.flatMap { recipe in ["mkv", "mp4"].map { Row(recipe: recipe, container: $0) } }
  }()

  @Test(
    "Turkish first, English to switch to, packets as in the renditions", .timeLimit(.minutes(5)),
    arguments: rows)
  func twoLanguages(row: Row) async throws {
    let hls = try await HLSFixture.make(row.recipe)
    let server = try FaultServer()
    server.serve(hls.folder)
    let tool = try Tool()
    let output = tool.folder.path("out.\(row.container)")
    let result = try await tool.run([
      "--audio", "tr,en", server.url("/master.m3u8"), "-o", output,
    ])
    try #require(result.status == 0, "\(result.stderr)")

    let audio = try await Probe.streams(output, kind: "audio")
    #expect(audio.map(\.language) == ["tur", "eng"])
    #expect(audio.map(\.isDefault) == [true, false])
    // A muxed track that EXT-X-MEDIA does not name has no title.
    #expect(audio.map(\.title) == ["Türkçe", row.recipe.isMuxed ? nil : "English 5.1"])
    #expect(try await Probe.streams(output, kind: "video").count == 1)
    #expect(try await Probe.streams(output, kind: "subtitle").count >= 1)
    let duration = try #require(try await Probe.duration(output))
    #expect(abs(duration - Film.duration) < 0.065, "\(duration)")
    #expect(try await Probe.complaints(output) == "")
    let left = try tool.leftovers()
    #expect(left == ["out.\(row.container)"])
    try await expectSamePackets(output, hls)
  }

  /// Each track's packets are those of its rendition, and start as far apart as there.
  private func expectSamePackets(_ output: String, _ hls: HLSFixture) async throws {
    let folder = try TemporaryFolder()
    let suffix = output.hasSuffix("mp4") ? "mp4" : "mkv"
    let sources =
      hls.recipe.isMuxed
      ? [("v:0", "muxed", "v:0"), ("a:0", "muxed", "a:0"), ("a:1", "muxed", "a:1")]
      : [("v:0", "video-high", "v:0"), ("a:0", "tr", "a:0"), ("a:1", "en", "a:0")]
    var offsets: [Double] = []
    for (track, rendition, stream) in sources {
      let joined = try folder.write("\(rendition).joined", hls.clearBytes(of: rendition))
      // ffmpeg takes off Annex B and ADTS as the container wants it; then packets can be compared.
      let alike = folder.path("\(rendition).\(suffix)")
      try await Media.make(["-i", joined, "-map", "0:v?", "-map", "0:a?", "-c", "copy", alike])
      let hashes = try await Self.hashes(output, track)
      #expect(hashes.count > 200)
      #expect(hashes == (try await Self.hashes(alike, stream)), "\(track) of \(hls.recipe)")
      let first = try #require(try await Probe.firstTime(joined, stream))
      let stored = try #require(try await Probe.firstTime(output, track))
      offsets.append(stored - first)
    }
    for offset in offsets { #expect(abs(offset - offsets[0]) <= 0.0015, "\(offsets)") }
  }

  /// Side data (skipped samples) is printed among the packets.
  private static func hashes(_ path: String, _ stream: String) async throws -> [String] {
    try await Probe.packetHashes(path, stream).filter { $0.hasPrefix("MD5:") }
  }

  @Test("chapters and forced subtitles come along", .timeLimit(.minutes(5)))
  func chapters() async throws {
    let film = try await Film.mkv.path()
    let tool = try Tool()
    for container in ["mkv", "mp4"] {
      let output = tool.folder.path("out.\(container)")
      let result = try await tool.run(["--audio", "tr,en", film, "-o", output])
      try #require(result.status == 0, "\(result.stderr)")
      let chapters = try await SiloTestSupport.run(
        "ffprobe", "-v", "error", "-show_chapters", "-of", "csv", output)
      #expect(chapters.lines.count == 2)
      #expect(chapters.stdout.contains("Opening"))
      let subtitles = try await Probe.streams(output, kind: "subtitle")
      #expect(subtitles.map(\.language) == ["tur", "eng"])
      #expect(subtitles.last?.dispositions.contains("forced") == true)
      for track in ["v:0", "a:0", "a:1"] {
        #expect(
          try await Self.hashes(output, track) == (try await Self.hashes(film, track))
        )
      }
    }
  }
}
