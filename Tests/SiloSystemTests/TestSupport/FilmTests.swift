import SiloTestSupport
import Testing

/// The fixtures are what the acceptance tests believe, so ffprobe judges them first.
@Suite struct FilmTests {
  @Test(arguments: Film.allCases) func `the film is what it claims`(_ film: Film) async throws {
    let path = try await film.path()
    let streams = try await Probe.streams(path)
    #expect(
      streams.filter { $0.kind != "data" }.map(\.codec) == [
        "h264", "aac", "ac3", "aac", "aac", "aac", "aac", film == .mkv ? "subrip" : "mov_text",
        film == .mkv ? "subrip" : "mov_text",
      ])
    let audio = streams.filter { $0.kind == "audio" }
    #expect(audio.compactMap(\.language) == Film.audioLanguages)
    #expect(audio.compactMap(\.title) == Film.audioTitles)
    #expect(audio.map(\.channels) == [2, 6, 1, 2, 2, 2])
    #expect(audio.map(\.isDefault) == [true, false, false, false, false, false])
    #expect(audio[4].dispositions.contains("comment"))
    #expect(audio[5].dispositions.contains("visual_impaired"))
    let duration = try #require(try await Probe.duration(path))
    #expect(abs(duration - Film.duration) < 0.1)
    #expect(try await Probe.tags(path)["title"] == "Four Languages")
    #expect(try await Probe.complaints(path) == "")
    #expect(try await Probe.packetHashes(path, "v:0").count == 600)
  }
}
