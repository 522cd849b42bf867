import Foundation

/// An HLS presentation of three runs parted by EXT-X-DISCONTINUITY, whose middle one, the advertisement, has audio of
/// 3.2 s beside pictures of 4 s: 8 s, 4 s, 8 s of pictures; 8 s, 3.2 s, 8 s of `tr` and of `en`.
///
/// Each run has a clock of its own. MPEG-TS; folders `video`, `tr`, `en`; one variant.
package struct HLSAdBreak: Sendable {
  /// Where it is; not to be changed.
  package let folder: String

  /// The path of the multivariant playlist.
  package var master: String { folder + "/master.m3u8" }
  /// How many seconds the audio of the advertisement is short.
  package static let gap = 0.8
  /// The seconds of pictures of each run.
  package static let runs = [8.0, 4.0, 8.0]

  /// The presentation, made once a process.
  package static func make() async throws -> HLSAdBreak {
    let folder = try await FixtureCache.shared.folder("hls-ad-break", make: Self.cook)
    return HLSAdBreak(folder: folder)
  }

  /// Pictures, seconds of pictures, AAC packets (of 1024/48000 s) and the clock's start of each run.
  private static let scenes: [(picture: String, seconds: Int, packets: Int, start: Double)] = [
    ("testsrc2", 8, 375, 10), ("smptebars", 4, 150, 1), ("testsrc", 8, 375, 100),
  ]

  private static func cook(_ folder: String) async throws {
    var lists = ["video": "", "tr": "", "en": ""]
    for (n, scene) in scenes.enumerated() {
      let video = [
        "-f", "lavfi", "-i", "\(scene.picture)=size=160x90:rate=25:duration=\(scene.seconds)",
      ]
      let coder = [
        "-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p", "-bf", "2", "-g", "50",
      ]
      try await segment(
        video + coder + ["-keyint_min", "50", "-sc_threshold", "0"], start: scene.start, run: n,
        into: "\(folder)/video")
      for (name, pitch) in [("tr", 440), ("en", 660)] {
        let tone =
          "sine=frequency=\(n == 1 ? 1000 : pitch):sample_rate=48000:duration=\(scene.seconds + 1)"
        // The encoder's first packet lies one packet before 0.
        try await segment(
          ["-f", "lavfi", "-i", tone, "-ac", "2", "-c:a", "aac", "-b:a", "48k"]
            + ["-frames:a", "\(scene.packets)"], start: scene.start + 1024.0 / 48_000, run: n,
          into: "\(folder)/\(name)")
      }
      for name in lists.keys {
        let segments = try HLSPlaylistWriter.segments(of: "\(folder)/\(name)/run\(n).m3u8")
        if n > 0 { lists[name, default: ""] += "#EXT-X-DISCONTINUITY\n" }
        for segment in segments {
          lists[name, default: ""] +=
            "#EXTINF:\(String(format: "%.6f", segment.duration)),\n\(segment.name)\n"
        }
        try FileManager.default.removeItem(atPath: "\(folder)/\(name)/run\(n).m3u8")
      }
    }
    let head = "#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:5\n#EXT-X-PLAYLIST-TYPE:VOD\n"
    for (name, list) in lists {
      try write(head + list + "#EXT-X-ENDLIST\n", to: "\(folder)/\(name)/index.m3u8")
    }
    try write(masterText, to: "\(folder)/master.m3u8")
  }

  private static func segment(_ input: [String], start: Double, run: Int, into place: String)
    async throws
  {
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    try await Media.make(
      input + ["-output_ts_offset", String(format: "%.6f", start), "-muxdelay", "0"]
        + ["-muxpreload", "0", "-f", "hls", "-hls_time", "4", "-hls_list_size", "0"]
        + ["-hls_segment_filename", "run\(run)-seg%d.ts", "run\(run).m3u8"], in: place)
  }

  private static func write(_ text: String, to path: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }

  private static let masterText = """
    #EXTM3U
    #EXT-X-VERSION:6
    #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aud",NAME="Türkçe",LANGUAGE="tr",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2",URI="tr/index.m3u8"
    #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aud",NAME="English",LANGUAGE="en",DEFAULT=NO,AUTOSELECT=YES,CHANNELS="2",URI="en/index.m3u8"
    #EXT-X-STREAM-INF:BANDWIDTH=400000,RESOLUTION=160x90,FRAME-RATE=25.000,CODECS="avc1.4d400d,mp4a.40.2",AUDIO="aud",CLOSED-CAPTIONS=NONE
    video/index.m3u8

    """
}
