import Foundation
import SiloTestSupport
import Testing

/// The presentations are what the acceptance tests believe, so ffprobe and openssl judge them first.
@Suite struct HLSFixtureTests {
  private func joined(_ fixture: HLSFixture, _ rendition: String, in folder: TemporaryFolder) throws
    -> String
  {
    try folder.write("\(rendition).bin", fixture.clearBytes(of: rendition))
  }

  @Test(arguments: HLSRecipe.Form.allCases) func `every rendition holds what its language says`(
    _ form: HLSRecipe.Form
  ) async throws {
    let fixture = try await HLSFixture.make(HLSRecipe(form))
    let folder = try TemporaryFolder()
    let codecs = ["aac", "ac3", "aac", "aac", "aac", "aac"]
    for (name, codec) in zip(HLSFixture.audioRenditions, codecs) {
      let path = try joined(fixture, name, in: folder)
      #expect(try await Probe.streams(path).map(\.codec) == [codec], "\(name)")
      let first = try #require(try await Probe.firstTime(path, "a:0"))
      #expect(abs(first - 10) < 0.001, "\(name) starts at \(first)")
    }
    for (name, width) in [("video", 160), ("video-high", 320)] {
      let path = try joined(fixture, name, in: folder)
      #expect(try await Probe.streams(path).map(\.width) == [width])
      let times = try await Probe.times(path, "v:0")
      #expect(times.count == 600 && abs((times.min() ?? 0) - 10) < 0.001, "\(times.prefix(3))")
    }
    #expect(try fixture.clearSegments(of: "video").count == 6)
  }

  @Test(arguments: HLSRecipe.Form.allCases) func `late audio is 0.479 s late`(
    _ form: HLSRecipe.Form
  ) async throws {
    let fixture = try await HLSFixture.make(.lateAudio(form))
    let folder = try TemporaryFolder()
    let video = try #require(
      try await Probe.firstTime(joined(fixture, "video", in: folder), "v:0"))
    for name in ["tr", "en", "de"] {
      let audio = try #require(try await Probe.firstTime(joined(fixture, name, in: folder), "a:0"))
      #expect(abs(audio - video - 0.479) < 0.001, "\(name): \(audio - video)")
    }
  }

  @Test func `encrypted segments decrypt to the clear ones by what the playlist says`() async throws
  {
    var late = HLSRecipe(.ts, cipher: .implicitVector)
    late.firstSequence = 5000
    let recipes = [
      late, HLSRecipe(.fmp4, cipher: .implicitVector), HLSRecipe(.ts, cipher: .explicitVector),
      HLSRecipe(.fmp4, cipher: .explicitVector, segmentsPerKey: 2),
    ]
    for recipe in recipes {
      let fixture = try await HLSFixture.make(recipe)
      // ffmpeg's own reader is the judge: it sees the pictures of the clear film.
      let path = fixture.folder + "/video/index.m3u8"
      let result = try await runSuccessfully(
        "ffprobe",
        ["-v", "error", "-allowed_extensions", "ALL", "-count_packets", "-show_entries"]
          + ["stream=nb_read_packets", "-of", "csv=p=0", path])
      #expect(result.lines.first == "600", "\(recipe)")
      let clear = try fixture.clearSegments(of: "video")[0]
      let served = fixture.folder + "/video/" + (clear.split(separator: "/").last ?? "")
      #expect(
        try Data(contentsOf: URL(fileURLWithPath: served))
          != Data(contentsOf: URL(fileURLWithPath: clear)))
      let playlist = try String(contentsOfFile: path, encoding: .utf8)
      #expect(playlist.contains("IV=0x") == (recipe.cipher == .explicitVector))
      let keys = playlist.components(separatedBy: "#EXT-X-KEY").count - 1
      #expect(keys == (recipe.segmentsPerKey == 2 ? 3 : 1))
    }
  }

  @Test func `muxed segments carry both languages in the PMT`() async throws {
    let fixture = try await HLSFixture.make(.muxed)
    let streams = try await Probe.streams(try fixture.clearSegments(of: "muxed")[0])
    #expect(streams.map(\.codec) == ["h264", "aac", "ac3"])
    #expect(streams.compactMap(\.language) == ["tur", "eng"])
    #expect(
      try await Probe.streams(try fixture.clearSegments(of: "de")[0]).map(\.kind) == ["audio"])
  }

  @Test func `the clock wraps in the third segment`() async throws {
    let fixture = try await HLSFixture.make(.wrapping)
    let wrap = Double(1 << 33) / 90_000
    let raw = ["-correct_ts_overflow", "0"]
    for name in ["video", "tr", "en"] {
      let segments = try fixture.clearSegments(of: name)
      let second = try #require(try await Probe.times(segments[1], "0", options: raw).min())
      let fourth = try #require(try await Probe.times(segments[3], "0", options: raw).min())
      #expect(second > wrap - 6 && second < wrap, "\(name): \(second)")
      #expect(fourth < 10, "\(name): \(fourth)")
    }
  }

  @Test func `the advertisement's audio is 0.8 s short`() async throws {
    let fixture = try await HLSAdBreak.make()
    let folder = try TemporaryFolder()
    for (run, seconds) in HLSAdBreak.runs.enumerated() {
      for (name, stream, length) in [
        ("video", "v:0", seconds), ("tr", "a:0", run == 1 ? 3.2 : seconds),
        ("en", "a:0", run == 1 ? 3.2 : seconds),
      ] {
        let place = fixture.folder + "/" + name
        let names = try FileManager.default.contentsOfDirectory(atPath: place)
          .filter { $0.hasPrefix("run\(run)-") }.sorted()
        let bytes = try names.flatMap {
          try Data(contentsOf: URL(fileURLWithPath: "\(place)/\($0)"))
        }
        let path = try folder.write("\(name)\(run).ts", bytes)
        let times = try await Probe.times(path, stream)
        let packet = name == "video" ? 0.04 : 1024.0 / 48_000
        let span = (times.max() ?? 0) - (times.min() ?? 0) + packet
        #expect(abs(span - length) < 0.002, "\(name), run \(run): \(span)")
        #expect(abs((times.min() ?? 0) - [10, 1, 100][run]) < 0.002, "\(name), run \(run)")
      }
    }
  }

  @Test func `subtitles count from the first picture`() async throws {
    let fixture = try await HLSFixture.make()
    let third = try String(contentsOfFile: fixture.folder + "/subs-tr/seg2.vtt", encoding: .utf8)
    #expect(third.hasPrefix("WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:900000,LOCAL:00:00:00.000\n\n"))
    #expect(third.contains("00:00:07.500 --> 00:00:08.500\nMerhaba over the edge\n"))
    #expect(third.contains("00:00:09.000 --> 00:00:11.000\nMerhaba 3\n"))
  }
}
