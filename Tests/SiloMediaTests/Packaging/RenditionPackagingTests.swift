import Foundation
import SiloSystem
import SiloTestSupport
import Testing

@testable import SiloMedia

@Suite struct RenditionPackagingTests {
  private static func hls(
    _ name: String, seconds: Double, video: Bool, offset: Double = 0, form: String = "mpegts",
    length: Double = 2,
    in folder: TemporaryFolder
  ) async throws {
    let source =
      video
      ? "-f lavfi -i testsrc2=s=160x90:r=25:d=\(seconds) -c:v libx264 -preset ultrafast -x264-params bframes=2:keyint=25:min-keyint=25"
      : "-f lavfi -i sine=440:d=\(seconds):r=48000 -c:a aac"
    try await Media.make(
      source
        + " -output_ts_offset \(offset) -muxdelay 0 -muxpreload 0 -f hls -hls_time \(length) -hls_playlist_type vod "
        + "-hls_segment_type \(form) -hls_fmp4_init_filename \(name)-init.mp4 "
        + "-hls_segment_filename \(name)-%d.\(form == "fmp4" ? "m4s" : "ts") \(name).m3u8",
      in: folder.path)
  }

  private static func plan(_ inputs: [PackageInput], container: OutputContainer = .mp4)
    -> PackagePlan
  {
    PackagePlan(
      inputs: inputs,
      tracks: [
        PackageTrack(id: TrackID(.video, 0), input: 0, ordinal: 0, isDefault: true),
        PackageTrack(
          id: TrackID(.audio, 0), input: 1, ordinal: 0, language: LanguageTag("tr"),
          isDefault: true),
      ], container: container)
  }

  @Test(arguments: ["mpegts", "fmp4"], OutputContainer.allCases)
  func `Sound that starts later than the pictures stays later`(
    form: String, container: OutputContainer
  )
    async throws
  {
    let folder = try TemporaryFolder()
    try await Self.hls("v", seconds: 6, video: true, offset: 10, form: form, in: folder)
    try await Self.hls("a", seconds: 5.4, video: false, offset: 10.479, form: form, in: folder)
    var (video, audio) = (SpooledRendition(), SpooledRendition())
    try video.append("v.m3u8", in: folder)
    try audio.append("a.m3u8", in: folder)
    let file = folder.path("out.\(container.rawValue)")
    _ = try await Self.plan(
      [video.input("v.spool", in: folder), audio.input("a.spool", in: folder)], container: container
    ).write(to: URL(fileURLWithPath: file))
    let v = try await Probe.firstTime(file, "v:0") ?? -1
    let a = try await Probe.firstTime(file, "a:0") ?? -1
    #expect(abs(v) < 0.001, "\(v)")
    // The encoder puts 1024 samples of priming before the sound; MPEG-TS shows them.
    let priming = form == "mpegts" ? 1024.0 / 48_000 : 0
    #expect(abs(a - v - 0.479 + priming) < (form == "fmp4" ? 0.023 : 0.0015), "\(a)")
    #expect(try await Probe.complaints(file) == "")
  }

  @Test(arguments: [(0.0, 12.0), (5.0, 12.0), (95_440.0, 12.0)])
  func `A run goes on where the one before ended`(offset: Double, second: Double) async throws {
    let folder = try TemporaryFolder()
    var (video, audio) = (SpooledRendition(), SpooledRendition())
    for (run, offset) in [(0, 3.0), (1, offset)] {
      try await Self.hls("v\(run)", seconds: second, video: true, offset: offset, in: folder)
      try await Self.hls("a\(run)", seconds: second, video: false, offset: offset, in: folder)
      try video.append("v\(run).m3u8", in: folder, run: run)
      try audio.append("a\(run).m3u8", in: folder, run: run)
    }
    let file = folder.path("out.mp4")
    let written = try await Self.plan(
      [video.input("v.spool", in: folder), audio.input("a.spool", in: folder)]
    ).write(to: URL(fileURLWithPath: file))
    #expect(
      abs((written.duration?.seconds ?? 0) - 24) < 0.06, "\(String(describing: written.duration))")
    let times = try await Probe.times(file, "v:0").sorted()
    #expect(times.count == 600)
    #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 0.04) < 0.002 })
    #expect(try await Probe.complaints(file) == "")
  }

  @Test(arguments: ["mpegts", "fmp4"], [0.0, 2000.0])
  func `A clock that jumps without a tag leaves no hole`(form: String, second: Double)
    async throws
  {
    let folder = try TemporaryFolder()
    var (video, audio) = (SpooledRendition(), SpooledRendition())
    for (part, offset) in [(0, 100.0), (1, second)] {
      for (name, isVideo) in [("v\(part)", true), ("a\(part)", false)] {
        try await Self.hls(
          name, seconds: 6, video: isVideo, offset: offset, form: form, in: folder)
      }
      // The same number for both: there is no tag.
      try video.append("v\(part).m3u8", in: folder)
      try audio.append("a\(part).m3u8", in: folder)
    }
    let file = folder.path("out.mp4")
    let plan = Self.plan(
      [try video.input("v.spool", in: folder), try audio.input("a.spool", in: folder)])
    _ = try await plan.write(to: URL(fileURLWithPath: file))
    let times = try await Probe.times(file, "v:0").sorted()
    #expect(times.count == 300)
    #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 0.04) < 0.002 })
    let sound = try await Probe.times(file, "a:0").sorted()
    let gap = zip(sound, sound.dropFirst()).map { $1 - $0 }.max() ?? 9
    #expect(gap < 0.08, "\(gap)")
    #expect(try await Probe.decoderComplaints(file) == [])
  }

  @Test func `A short advertisement in the sound does not move what follows`() async throws {
    let folder = try TemporaryFolder()
    var (video, audio) = (SpooledRendition(), SpooledRendition())
    for (run, lengths) in [(4.0, 3.2), (6.0, 6.0)].enumerated() {
      try await Self.hls("v\(run)", seconds: lengths.0, video: true, offset: 7, in: folder)
      try await Self.hls("a\(run)", seconds: lengths.1, video: false, offset: 7, in: folder)
      try video.append("v\(run).m3u8", in: folder, run: run)
      try audio.append("a\(run).m3u8", in: folder, run: run)
    }
    let file = folder.path("out.mkv")
    _ = try await Self.plan(
      [video.input("v.spool", in: folder), audio.input("a.spool", in: folder)], container: .mkv
    ).write(to: URL(fileURLWithPath: file))
    let times = try await Probe.times(file, "a:0")
    let gap = zip(times, times.dropFirst()).max { $0.1 - $0.0 < $1.1 - $1.0 }
    #expect(abs((gap?.1 ?? 0) - 4) < 0.022, "\(String(describing: gap))")
  }

  @Test func `Subtitles lie on the clock of the media, and a repeated cue is one`() async throws {
    let folder = try TemporaryFolder()
    try await Self.hls("v", seconds: 4, video: true, offset: 11.4, in: folder)
    try await Self.hls("a", seconds: 4, video: false, offset: 11.4, in: folder)
    var (video, audio, text) = (SpooledRendition(), SpooledRendition(), SpooledRendition())
    try video.append("v.m3u8", in: folder)
    try audio.append("a.m3u8", in: folder)
    let cue = "00:00:02.000 --> 00:00:04.500\nMerhaba\n"
    let head = "WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:900000,LOCAL:00:00:00.000\n\n"
    for _ in 0..<2 { text.append(Array((head + cue).utf8), length: .seconds(2)) }
    var plan = Self.plan([
      try video.input("v.spool", in: folder), try audio.input("a.spool", in: folder),
      try text.input("s.spool", in: folder, form: .webVTT),
    ])
    plan.tracks.append(
      PackageTrack(id: TrackID(.subtitle, 0), input: 2, ordinal: 0, language: LanguageTag("tr")))
    for container in OutputContainer.allCases {
      plan.container = container
      let file = folder.path("out.\(container.rawValue)")
      _ = try await plan.write(to: URL(fileURLWithPath: file))
      let lines = try await run(
        "ffmpeg", ["-v", "error", "-i", file, "-map", "0:s:0", "-f", "srt", "-"]
      ).lines
      #expect(lines.count == 3, "\(lines)")
      #expect(lines.dropFirst().first?.hasPrefix("00:00:00,6") == true, "\(lines)")
    }
  }

  @Test func `A clock that folds in the middle of a run goes on, pictures before decoding`()
    async throws
  {
    let folder = try TemporaryFolder()
    // 2^33 ticks are 95443.7 s: the fold is in the second of three segments.
    try await Self.hls("v", seconds: 6, video: true, offset: 95_440, in: folder)
    try await Self.hls("a", seconds: 6, video: false, offset: 95_440.25, in: folder)
    var (video, audio) = (SpooledRendition(), SpooledRendition())
    try video.append("v.m3u8", in: folder)
    try audio.append("a.m3u8", in: folder)
    let file = folder.path("out.mp4")
    _ = try await Self.plan(
      [video.input("v.spool", in: folder), audio.input("a.spool", in: folder)]
    ).write(to: URL(fileURLWithPath: file))
    let times = try await Probe.times(file, "v:0").sorted()
    #expect(times.count == 150)
    #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 0.04) < 0.002 })
    let first = try await Probe.firstTime(file, "a:0") ?? -9
    #expect(abs(first - (times.first ?? 9) - 0.25 + 1024.0 / 48_000) < 0.0015, "\(first)")
    #expect(try await Probe.complaints(file) == "")
  }

  @Test func `Other numbers of segments for sound and pictures do not matter`() async throws {
    let folder = try TemporaryFolder()
    try await Self.hls("v", seconds: 6, video: true, offset: 3, in: folder)
    try await Self.hls("a", seconds: 6, video: false, offset: 3, length: 0.8, in: folder)
    var (video, audio) = (SpooledRendition(), SpooledRendition())
    try video.append("v.m3u8", in: folder)
    try audio.append("a.m3u8", in: folder)
    let file = folder.path("out.mkv")
    _ = try await Self.plan(
      [video.input("v.spool", in: folder), audio.input("a.spool", in: folder)], container: .mkv
    ).write(to: URL(fileURLWithPath: file))
    let times = try await Probe.times(file, "a:0")
    #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 0.0213) < 0.002 })
    #expect(abs((times.last ?? 0) - 5.99) < 0.03)
    #expect(try await Probe.packetHashes(file, "v:0").count == 150)
  }

  @Test func `Cues without a map are counted from the start of the media`() async throws {
    let folder = try TemporaryFolder()
    try await Self.hls("v", seconds: 4, video: true, offset: 11.4, in: folder)
    try await Self.hls("a", seconds: 4, video: false, offset: 11.4, in: folder)
    var (video, audio, text) = (SpooledRendition(), SpooledRendition(), SpooledRendition())
    try video.append("v.m3u8", in: folder)
    try audio.append("a.m3u8", in: folder)
    let cue = "\u{FEFF}WEBVTT\n\n00:00:01.000 --> 00:00:02.500\nMerhaba\n"
    text.append(Array(cue.utf8), length: .seconds(4))
    var plan = Self.plan([
      try video.input("v.spool", in: folder), try audio.input("a.spool", in: folder),
      try text.input("s.spool", in: folder, form: .webVTT),
    ])
    plan.tracks.append(PackageTrack(id: TrackID(.subtitle, 0), input: 2, ordinal: 0))
    let file = folder.path("out.mp4")
    _ = try await plan.write(to: URL(fileURLWithPath: file))
    let lines = try await run(
      "ffmpeg", ["-v", "error", "-i", file, "-map", "0:s:0", "-f", "srt", "-"]
    ).lines
    #expect(lines.dropFirst().first == "00:00:01,000 --> 00:00:02,500", "\(lines)")
  }
}
