import Foundation
import SiloTestSupport
import Testing

@testable import SiloServer

/// What the playlists of the sample film say.
@Suite struct Presentation {
  /// The sample film behind a server; it is what people try first.
  private static func sample() async throws -> ServedFolder {
    let served = try await ServedFolder()
    var root = URL(fileURLWithPath: #filePath)
    while root.lastPathComponent != "Tests" { root.deleteLastPathComponent() }
    let script = root.deletingLastPathComponent().path + "/Samples/make-media"
    try await runSuccessfully(script, [served.folder.path])
    return served
  }

  @Test func `The master playlist names every track of the sample film`() async throws {
    let served = try await Self.sample()
    for suffix in ["", ".mkv", ".mp4"] {
      let path = "hls/Four%20Languages%20(2024)\(suffix)/"
      let master = try await served.get(path + "master.m3u8")
      #expect(master.headers["content-type"] == "application/vnd.apple.mpegurl")
      let lines = master.text.split(separator: "\n").map(String.init)
      let audio = lines.filter { $0.hasPrefix("#EXT-X-MEDIA:TYPE=AUDIO") }
      let wanted = [
        ("Türkçe", "tr"), ("English", "en"), ("Deutsch", "de"), ("日本語", "ja"),
        ("Director's Commentary", "en"), ("English (Audio Description)", "en"),
      ]
      #expect(audio.count == wanted.count)
      for (line, (name, language)) in zip(audio, wanted) {
        #expect(line.contains("NAME=\"\(name)\",LANGUAGE=\"\(language)\""), "\(line)")
        #expect(line.contains("CHANNELS=\"2\""), "\(line)")
      }
      #expect(audio.count { $0.contains("DEFAULT=YES") } == 1)
      #expect(audio.dropFirst().first?.contains("DEFAULT=YES") == true)
      #expect(audio.last?.contains("public.accessibility.describes-video") == true)
      let subtitles = lines.filter { $0.hasPrefix("#EXT-X-MEDIA:TYPE=SUBTITLES") }
      #expect(subtitles.count == 3)
      #expect(subtitles.filter { $0.contains("FORCED=YES") } == subtitles.suffix(1))
      let variant = try #require(lines.first { $0.hasPrefix("#EXT-X-STREAM-INF:") })
      #expect(variant.contains("RESOLUTION=320x180,FRAME-RATE=25.000,AUDIO=\"audio\""))
      #expect(variant.contains("CODECS=\"avc1."))
      #expect(variant.contains(",mp4a.40.2\""))
      let chapters = try await served.get(path + "chapters.json")
      struct Row: Decodable {
        struct Title: Decodable { var title: String }
        var duration: Double
        var titles: [Title]
      }
      let rows = try JSONDecoder().decode([Row].self, from: Data(chapters.body))
      #expect(
        rows.map(\.titles.first?.title) == ["Opening", "The Road", "The Storm", "Homecoming"])
      #expect(rows.allSatisfy { abs($0.duration - 6) < 0.1 })
    }
    await served.server.stop()
  }

  @Test(arguments: ["mkv", "mp4", "ts"])
  func `A file that is cut is no shorter film`(suffix: String) async throws {
    let served = try await ServedFolder()
    try await Media.make(
      "-f lavfi -i testsrc2=s=320x180:r=25:d=6 -c:v libx264 -preset ultrafast -movflags +faststart "
        + "whole.\(suffix)", in: served.folder.path)
    let bytes = try served.folder.read("whole.\(suffix)")
    try served.folder.write("cut.\(suffix)", Array(bytes.prefix(bytes.count / 2 + 1)))
    #expect(try await served.get("hls/whole.\(suffix)/master.m3u8").status == 200)
    let cut = try await served.get("hls/cut.\(suffix)/master.m3u8")
    #expect(cut.status == 422, "\(cut.status) \(cut.text)")
    await served.server.stop()
  }

  @Test func `The declared bandwidth is that of the bytes that are sent`() async throws {
    let served = try await Self.sample()
    let path = "hls/Four%20Languages%20(2024).mkv/"
    let master = try await served.get(path + "master.m3u8").text
    let declared = try #require(
      master.firstMatch(of: #/BANDWIDTH=(\d+),AVERAGE-BANDWIDTH=(\d+)/#))
    var average = 0.0
    var peak = 0.0
    for track in ["v0", "a0"] {
      let playlist = try await served.get(path + "\(track)/index.m3u8").text
      let lines = playlist.split(separator: "\n").map(String.init)
      var (bytes, seconds, highest) = (0, 0.0, 0.0)
      for (number, line) in lines.enumerated() where line.hasPrefix("#EXTINF:") {
        let duration = try #require(Double(line.dropFirst(8).dropLast()))
        let count = try await served.get(path + "\(track)/\(lines[number + 1])").body.count
        bytes += count
        seconds += duration
        highest = max(highest, Double(count) * 8 / duration)
      }
      #expect(abs(seconds - 24) < 0.2)
      average += Double(bytes) * 8 / seconds
      peak += highest
    }
    let (stated, statedPeak) = (Double(declared.2) ?? 0, Double(declared.1) ?? 0)
    #expect(stated >= average * 0.99 && stated <= average * 1.05, "\(stated) for \(average)")
    #expect(statedPeak >= peak * 0.98 && statedPeak <= peak * 1.1, "\(statedPeak) for \(peak)")
    await served.server.stop()
  }

  @Test func `Subtitles are WebVTT on the clock of the media`() async throws {
    let served = try await Self.sample()
    let path = "hls/Four%20Languages%20(2024).mp4/"
    let first = try await served.get(path + "s0/0.vtt")
    #expect(first.headers["content-type"] == "text/vtt")
    #expect(first.text.hasPrefix("WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:"))
    // ffmpeg moves everything by the 21 ms that the encoder of the audio needs.
    #expect(first.text.contains(#/00:00:01\.0\d\d --> 00:00:03\.5\d\d\nMerhaba\.\n/#))
    #expect(try await served.get(path + "s0/99.vtt").status == 404)
    #expect(try await served.get(path + "s0/init.mp4").status == 404)
    let master = served.url(path + "master.m3u8")
    let film = served.folder.path("Four Languages (2024).mp4")
    let video = try await Probe.firstTime(film, "v:0")
    let sound = try await Probe.firstTime(film, "a:1")
    let offset = try #require(sound) - #require(video)
    let shown =
      try #require(try await Probe.firstTime(master, "a:1"))
      - #require(try await Probe.firstTime(master, "v:0"))
    #expect(abs(shown - offset) < 0.001)
    await served.server.stop()
  }

  @Test func `What is no media is refused with a reason`() async throws {
    let served = try await ServedFolder()
    _ = try served.folder.write("noise.mkv", (0..<5000).map { UInt8(truncatingIfNeeded: $0 * 31) })
    let answer = try await served.get("hls/noise.mkv/master.m3u8")
    #expect(answer.status == 422 || answer.status == 500, "\(answer.text)")
    #expect(answer.text.contains("\"error\":"))
    #expect(try await served.get("hls/none.mkv/master.m3u8").status == 404)
    await served.server.stop()
  }
}
