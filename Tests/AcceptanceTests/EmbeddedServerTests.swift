import Foundation
import SiloTestSupport
import Testing

/// The embedded server offers every file as multi-audio HLS, and what is fetched from it is the film.
@Suite("Embedded server")
struct EmbeddedServerTests {
  @Test(
    "two languages, subtitles and chapters of a served film", .timeLimit(.minutes(5)),
    arguments: ["mkv", "mp4"])
  func served(container: String) async throws {
    let tool = try Tool()
    let media = try TemporaryFolder()
    let film = try await Film.mkv.copy(to: media, as: "The Film (2024).mkv")
    let server = try tool.start(["serve", media.path, "--listen", "127.0.0.1:0", "--json"])
    defer { server.signal(SIGTERM) }
    let line = try await server.line { $0.contains("listening") }
    let listening = try #require(
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    let root = try #require(listening["url"] as? String)

    let output = tool.folder.path("out.\(container)")
    let url = root + "/hls/The%20Film%20(2024)/master.m3u8"
    let result = try await tool.run(["--audio", "tr,en", url, "-o", output])
    #expect(result.status == 0, "\(result.stderr)")
    let audio = try await Probe.streams(output, kind: "audio")
    #expect(audio.map(\.language) == ["tur", "eng"])
    #expect(audio.map(\.isDefault) == [true, false])
    #expect(audio.map(\.codec) == ["aac", "ac3"])
    let subtitles = try await Probe.streams(output, kind: "subtitle")
    #expect(subtitles.map(\.language) == ["tur", "eng"])
    let chapters = try await SiloTestSupport.run(
      "ffprobe", "-v", "error", "-show_chapters", "-of", "csv", output)
    #expect(chapters.lines.count == 2 && chapters.stdout.contains("Ending"))
    let duration = try #require(try await Probe.duration(output))
    #expect(abs(duration - Film.duration) < 0.065, "\(duration)")
    for (track, origin) in [("v:0", "v:0"), ("a:0", "a:0"), ("a:1", "a:1")] {
      let hashes = try await Probe.packetHashes(output, track).filter { $0.hasPrefix("MD5:") }
      let expected = try await Probe.packetHashes(film, origin).filter { $0.hasPrefix("MD5:") }
      #expect(hashes == expected, "\(track)")
    }
  }
}
