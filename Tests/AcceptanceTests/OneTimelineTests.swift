import Foundation
import SiloTestSupport
import Testing

/// Tracks stay aligned as the source has them, across late starts, discontinuities and clock wraps.
@Suite("One timeline")
struct OneTimelineTests {
  private func fetch(_ folder: String, as container: String, _ tool: Tool) async throws -> String {
    let server = try FaultServer()
    server.serve(folder)
    let output = tool.folder.path("out.\(container)")
    let result = try await tool.run([
      "--audio", "tr,en", server.url("/master.m3u8"), "-o", output,
    ])
    try #require(result.status == 0, "\(result.stderr)")
    return output
  }

  @Test(
    "audio that starts 0.479 s after the video stays 0.479 s after it", .timeLimit(.minutes(5)),
    arguments: HLSRecipe.Form.allCases, ["mkv", "mp4"])
  func lateAudio(form: HLSRecipe.Form, container: String) async throws {
    let tool = try Tool()
    let output = try await fetch(
      try await HLSFixture.make(.lateAudio(form)).folder, as: container, tool)
    let video = try #require(try await Probe.firstTime(output, "v:0"))
    for track in ["a:0", "a:1"] {
      let audio = try #require(try await Probe.firstTime(output, track))
      // The encoder's own delay of the first AAC packet is part of the source's offset.
      let expected = 0.479
      #expect(abs(audio - video - expected) < 0.03, "\(track): \(audio - video)")
    }
  }

  @Test(
    "an audio run 0.8 s short before a discontinuity leaves the next run aligned",
    .timeLimit(.minutes(5)), arguments: ["mkv", "mp4"])
  func shortRun(container: String) async throws {
    let tool = try Tool()
    let output = try await fetch(try await HLSAdBreak.make().folder, as: container, tool)
    let video = try await Probe.times(output, "v:0").sorted()
    let audio = try await Probe.times(output, "a:0").sorted()
    let duration = try #require(try await Probe.duration(output))
    #expect(abs(duration - 20) < 0.06, "\(duration)")
    // The last run: its first picture lies at 12 s, and its audio begins within one frame of it.
    let frame = 1024.0 / 48_000
    let picture = try #require(video.first { $0 > 11.97 })
    let resumed = try #require(zip(audio, audio.dropFirst()).first { $1 - $0 > 0.5 }?.1)
    #expect(abs(picture - 12) < 0.045, "\(picture)")
    #expect(abs(resumed - picture) <= frame + 0.002, "\(resumed) beside \(picture)")
  }

  @Test(
    "a 33-bit wrap in the third segment leaves the output monotonic and 24 s long",
    .timeLimit(.minutes(5)), arguments: ["mkv", "mp4"])
  func wrap(container: String) async throws {
    let tool = try Tool()
    let output = try await fetch(
      try await HLSFixture.make(.wrapping).folder, as: container, tool)
    let duration = try #require(try await Probe.duration(output))
    #expect(abs(duration - 24) < 0.06, "\(duration)")
    for track in ["v:0", "a:0", "a:1"] {
      let times = try await Probe.times(output, track)
      #expect(times.count > 500)
      #expect((times.first ?? 99) < 0.1 && (times.max() ?? 99) < 24.1)
    }
    #expect(try await Probe.times(output, "a:0") == (try await Probe.times(output, "a:0")).sorted())
    #expect(try await Probe.complaints(output) == "")
  }

  /// A folder with MPEG-TS segments of 4 s that begin at `starts` on their clock, all of one clip.
  private func segments(startingAt starts: [Int]) async throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    var lines = ["#EXTM3U", "#EXT-X-TARGETDURATION:4"]
    for (number, start) in starts.enumerated() {
      try await runSuccessfully(
        "ffmpeg",
        [
          "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x90:rate=25:duration=4", "-f",
          "lavfi", "-i", "sine=duration=4:sample_rate=48000", "-c:v", "libx264", "-preset",
          "ultrafast", "-c:a", "aac", "-metadata:s:a:0", "language=tur", "-output_ts_offset",
          "\(start)", "-muxdelay", "0", folder.path("\(number).ts"),
        ])
      lines += ["#EXTINF:4,", "\(number).ts"]
    }
    _ = try folder.write("master.m3u8", (lines + ["#EXT-X-ENDLIST", ""]).joined(separator: "\n"))
    return folder
  }

  @Test(
    "segments that begin again on the same clock, without a tag, follow each other",
    .timeLimit(.minutes(5)), arguments: ["mkv", "mp4"])
  func repeated(container: String) async throws {
    let tool = try Tool()
    let folder = try await segments(startingAt: [10, 10, 14, 10])
    let output = try await fetch(folder.path, as: container, tool)
    let duration = try #require(try await Probe.duration(output))
    #expect(abs(duration - 16) < 0.1, "\(duration)")
    let times = try await Probe.times(output, "v:0").sorted()
    #expect(times.count == 400)
    #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 > 0.03 })
  }

  @Test(
    "a segment that plays the end of the one before once more is refused, by track and time",
    .timeLimit(.minutes(5)))
  func overlapping() async throws {
    let tool = try Tool()
    let folder = try await segments(startingAt: [10, 12])
    let server = try FaultServer()
    server.serve(folder.path)
    let result = try await tool.run([server.url("/master.m3u8"), "-o", "out.mkv"])
    #expect(result.status == 8, "\(result.stderr)")
    #expect(result.stderr.contains(" go back by "), "\(result.stderr)")
    #expect(tool.bytes("out.mkv") == nil)
  }
}
