import Foundation
import SiloTestSupport
import Testing

@testable import SiloServer

/// Every packet of every track comes back through HLS, once, unchanged, and at its time.
@Suite struct Renditions {
  /// Twenty seconds of video with B-frames, audio that starts 0.479 s late, a second audio, and chapters.
  static func makeFilm(_ served: ServedFolder, _ name: String, extra: String = "") async throws {
    try await Media.make(
      "-f lavfi -i testsrc2=size=128x72:rate=25:duration=20 "
        + "-itsoffset 0.479 -f lavfi -i sine=frequency=330:duration=19:sample_rate=48000 "
        + "-f lavfi -i sine=frequency=550:duration=20:sample_rate=44100 "
        + "-map 0:v -map 1:a -map 2:a -c:v libx264 -preset ultrafast -bf 2 -g 50 "
        + "-x264-params scenecut=0:b-adapt=0 -c:a aac -b:a 64k \(extra)"
        + "-metadata:s:a:0 language=tur -metadata:s:a:1 language=eng "
        + served.folder.path(name))
  }

  @Test(arguments: ["film.mkv", "film.mp4", "film.mov"])
  func `Renditions have the packets of the file and its offsets`(_ name: String) async throws {
    let served = try await ServedFolder()
    try await Self.makeFilm(served, name)
    let file = served.folder.path(name)
    let base = served.url("hls/\(name)/")
    let videoStart = try #require(try await Probe.firstTime(file, "v:0"))
    let shownStart = try #require(try await Probe.firstTime(base + "v0/index.m3u8", "0"))
    for (track, stream) in [("v0", "v:0"), ("a0", "a:0"), ("a1", "a:1")] {
      let address = base + "\(track)/index.m3u8"
      let wanted = try await Self.hashes(file, stream)
      #expect(wanted.count > 100)
      let got = try await Self.hashes(address, "0")
      let differing = zip(wanted, got).enumerated().first { $1.0 != $1.1 }?.offset
      let isSame = got == wanted
      #expect(
        isSame,
        "\(name) \(track): \(got.count) of \(wanted.count), first at \(String(describing: differing))"
      )
      let offset = try #require(try await Probe.firstTime(file, stream)) - videoStart
      let served = try #require(try await Probe.firstTime(address, "0")) - shownStart
      #expect(abs(served - offset) < 0.001, "\(name) \(track): \(served) for \(offset)")
      let times = try await Probe.times(file, stream).map { $0 - videoStart }
      let shown = try await Probe.times(address, "0").map { $0 - shownStart }
      let differences = zip(times, shown).map { abs($0 - $1) }
      #expect(differences.max() ?? 1 < 0.0015, "\(name) \(track)")
    }
    await served.server.stop()
  }

  @Test func `A player of the whole presentation gets every track and no complaint`()
    async throws
  {
    let served = try await ServedFolder()
    try await Self.makeFilm(served, "film.mkv")
    let master = served.url("hls/film.mkv/master.m3u8")
    let kinds = try await Probe.streams(master).map(\.kind)
    #expect(kinds.count { $0 == "video" } == 1)
    #expect(kinds.count { $0 == "audio" } == 2)
    let decoded = try await run(
      "ffmpeg", ["-v", "error", "-nostdin", "-i", master, "-map", "0", "-f", "null", "-"])
    #expect(decoded.status == 0)
    #expect(decoded.stderr == "")
    let duration = try #require(try await Probe.duration(master))
    #expect(abs(duration - 20) < 0.1)
    await served.server.stop()
  }

  @Test func `Segments asked for at once and out of order are the same bytes`() async throws {
    let served = try await ServedFolder()
    try await Self.makeFilm(served, "film.mkv")
    let playlist = try await served.get("hls/film/v0/index.m3u8").text
    let names = playlist.split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)
    #expect(names.count == 4)
    let pieces = ["v0", "a0", "a1"].flatMap { track in
      (["init.mp4"] + names).map { "\(track)/\($0)" }
    }
    let first = try await Self.fetch(pieces.reversed(), from: served)
    await served.server.rescan()
    let second = try await Self.fetch(pieces + pieces, from: served)
    #expect(first.count == pieces.count)
    #expect(first == second)
    await served.server.stop()
  }

  /// Without the lines for side data, which belongs to the container.
  private static func hashes(_ path: String, _ stream: String) async throws -> [String] {
    try await Probe.packetHashes(path, stream).filter { $0.hasPrefix("MD5:") }
  }

  private static func fetch(
    _ pieces: [String], from served: ServedFolder
  ) async throws -> [String: [UInt8]] {
    try await withThrowingTaskGroup(of: (String, [UInt8]).self) { group in
      for piece in pieces {
        group.addTask {
          let answer = try await served.get("hls/film.mkv/\(piece)")
          #expect(
            answer.status == 200 && answer.body.count > 100, "\(piece): \(answer.text.prefix(300))")
          return (piece, answer.body)
        }
      }
      return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
  }

  @Test(arguments: [
    ("mpeg.ts", "-c:v libx264 -preset ultrafast -c:a aac -f mpegts", 2),
    ("surround.mkv", "-c:v libx264 -preset ultrafast -c:a eac3", 2),
    ("dolby.mp4", "-c:v libx265 -preset ultrafast -x265-params log-level=none -c:a ac3", 2),
    ("open.webm", "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -c:a libopus", 2),
    ("song.flac", "-vn -map -0:v -c:a flac", 1),
  ])
  func `Other codecs and containers play, too`(_ name: String, _ codecs: String, _ count: Int)
    async throws
  {
    let served = try await ServedFolder()
    try await Media.make(
      "-f lavfi -i testsrc2=size=128x72:rate=25:duration=8 "
        + "-f lavfi -i sine=frequency=330:duration=8:sample_rate=48000 "
        + "-map 0:v -map 1:a -g 50 \(codecs) " + served.folder.path(name))
    let master = served.url("hls/\(name)/master.m3u8")
    let text = try await served.get("hls/\(name)/master.m3u8").text
    #expect(text.contains("CODECS=\""), "\(text)")
    let streams = try await Probe.streams(master)
    #expect(streams.count == count, "\(name)")
    let decoded = try await run(
      "ffmpeg", ["-v", "error", "-nostdin", "-i", master, "-map", "0", "-f", "null", "-"])
    #expect(decoded.status == 0 && decoded.stderr == "", "\(name): \(decoded.stderr)")
    await served.server.stop()
  }
}
