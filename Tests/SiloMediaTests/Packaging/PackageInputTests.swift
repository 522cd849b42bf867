import Foundation
import SiloSystem
import SiloTestSupport
import Testing

@testable import SiloMedia

@Suite struct PackageInputTests {
  private static func plan(_ path: String, subtitle: Bool = false, container: OutputContainer)
    throws -> PackagePlan
  {
    var tracks = [
      PackageTrack(id: TrackID(.video, 0), input: 0, ordinal: 0, isDefault: true),
      PackageTrack(
        id: TrackID(.audio, 0), input: 0, ordinal: 0, language: LanguageTag("ja"),
        isDefault: true),
    ]
    if subtitle {
      tracks.append(PackageTrack(id: TrackID(.subtitle, 0), input: 0, ordinal: 0))
    }
    return PackagePlan(
      inputs: [.file(try .file(URL(fileURLWithPath: path)))], tracks: tracks,
      container: container)
  }

  @Test(
    arguments: [
      ("film.mp4", "libx265 -preset ultrafast -x265-params log-level=none", "aac", "hevc"),
      ("film.ts", "libx265 -preset ultrafast -x265-params log-level=none", "ac3", "hevc"),
      ("film.webm", "libvpx-vp9 -deadline realtime -cpu-used 8", "libopus", "vp9"),
    ], OutputContainer.allCases)
  func `Files of every kind are packaged`(
    input: (name: String, video: String, audio: String, codec: String), container: OutputContainer
  ) async throws {
    let folder = try TemporaryFolder()
    let film = folder.path(input.name)
    try await Media.make(
      "-f lavfi -i testsrc2=s=64x64:r=25:d=2 -f lavfi -i sine=440:d=2:r=48000 -c:v \(input.video) "
        + "-c:a \(input.audio) \(input.name)", in: folder.path)
    let file = folder.path("out.\(container.rawValue)")
    let plan = try Self.plan(film, container: container)
    _ = try await plan.write(to: URL(fileURLWithPath: file))
    let streams = try await Probe.streams(file)
    #expect(streams.map(\.kind) == ["video", "audio"])
    #expect(streams[0].codec == input.codec)
    if container == .mp4 && input.codec == "hevc" { #expect(streams[0].codecTag == "hvc1") }
    #expect(streams[1].language == "jpn")
    #expect(try await Probe.packetHashes(file, "v:0").count == 50)
    // Samples to be skipped stand on lines of their own, which containers need or not.
    let hashes = (
      try await Probe.packetHashes(film, "a:0").filter { $0.hasPrefix("MD5") },
      try await Probe.packetHashes(file, "a:0").filter { $0.hasPrefix("MD5") }
    )
    #expect(hashes.0.count > 40 && hashes.0 == hashes.1)
    #expect(try await Probe.decoderComplaints(file) == [])
  }

  @Test(
    arguments: [
      ("aac", 1), ("aac", 6), ("ac3", 1), ("ac3", 6), ("eac3", 1), ("eac3", 6), ("libopus", 1),
      ("libopus", 6), ("alac", 1), ("alac", 6), ("flac", 1), ("flac", 6), ("libmp3lame", 1),
      ("libmp3lame", 2),
    ], OutputContainer.allCases)
  func `Sound of every kind and number of channels is packaged`(
    sound: (codec: String, channels: Int), container: OutputContainer
  ) async throws {
    let folder = try TemporaryFolder()
    try await Media.make(
      "-f lavfi -i testsrc2=s=64x64:r=25:d=1 -f lavfi -i sine=440:d=1:r=48000 -c:v libx264 "
        + "-preset ultrafast -c:a \(sound.codec) -ac \(sound.channels) film.mkv", in: folder.path)
    let file = folder.path("out.\(container.rawValue)")
    let plan = try Self.plan(folder.path("film.mkv"), container: container)
    let written = try await plan.write(to: URL(fileURLWithPath: file))
    // What MP4 says of the channels of MP3 means nothing.
    let isUntold = sound.codec == "libmp3lame" && container == .mp4
    #expect(written.audio.map(\.channels) == [isUntold ? nil : sound.channels])
    let decoded = try await runSuccessfully(
      "ffprobe",
      ["-v", "error", "-select_streams", "a", "-show_frames", "-show_entries", "frame=channels"]
        + ["-of", "csv=p=0", file])
    let counts = Set(
      decoded.stdout.split(whereSeparator: { "\n,".contains($0) }).compactMap { Int($0) })
    #expect(counts == [sound.channels])
    // The last packet is heard too.
    var lengths: [Int] = []
    for path in [folder.path("film.mkv"), file] {
      let frames = try await run(
        "ffmpeg", ["-v", "error", "-i", path, "-map", "0:a", "-f", "framehash", "-"])
      lengths.append(frames.lines.filter { !$0.hasPrefix("#") }.count)
    }
    #expect(lengths[0] > 8 && lengths[0] == lengths[1], "\(lengths)")
    #expect(try await Probe.decoderComplaints(file) == [])
  }

  @Test func `Timed text of MP4 becomes SubRip, and timed text again`() async throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "s.srt", "1\n00:00:00,500 --> 00:00:01,000\nÇay\n\n2\n00:00:01,500 --> 00:00:02,000\nSu\n")
    try await Media.make(
      "-f lavfi -i testsrc2=s=64x64:r=25:d=3 -i s.srt -map 0 -map 1 -c:v libx264 "
        + "-preset ultrafast -c:s mov_text 0.mp4", in: folder.path)
    var texts: [String] = []
    for (from, to, container) in [
      ("0.mp4", "1.mkv", OutputContainer.mkv), ("1.mkv", "2.mp4", .mp4),
    ] {
      var plan = try Self.plan(folder.path(from), subtitle: true, container: container)
      // Without sound, whose priming would move everything in Matroska.
      plan.tracks.removeAll { $0.id.kind == .audio }
      let written = try await plan.write(to: URL(fileURLWithPath: folder.path(to)))
      #expect(written.subtitles.map(\.codec.name) == [container == .mkv ? "subrip" : "mov_text"])
      let text = try await run(
        "ffmpeg", ["-v", "error", "-i", folder.path(to), "-map", "0:s:0", "-f", "srt", "-"])
      texts.append(text.stdout)
    }
    // The judge writes fonts of MP4 as marks around the text.
    for part in ["00:00:00,500 --> 00:00:01,000\n", "Çay", "00:00:01,500 --> 00:00:02,000\n", "Su"]
    {
      #expect(texts.allSatisfy { $0.contains(part) }, "\(part) in \(texts)")
    }
  }

  private static func largeSound(_ folder: TemporaryFolder) async throws -> PackagePlan {
    try await Media.make(
      "-f lavfi -i testsrc2=s=64x64:r=25:d=20 -f lavfi -i anoisesrc=d=20:r=48000 -ac 2 "
        + "-c:v libx264 -preset ultrafast -c:a pcm_s16le large.mkv", in: folder.path)
    return try plan(folder.path("large.mkv"), container: .mkv)
  }

  @Test func `A full disk is told as what it is`() async throws {
    let folder = try TemporaryFolder()
    let plan = try await Self.largeSound(folder)
    let error = await #expect(throws: MediaError.self) {
      try await plan.write(to: URL(fileURLWithPath: "/dev/full"))
    }
    #expect(error?.code == .noSpace, "\(String(describing: error))")
  }

  @Test func `Writing ends soon after it was cancelled`() async throws {
    let folder = try TemporaryFolder()
    let plan = try await Self.largeSound(folder)
    let cancel = CancellationFlag()
    let path = folder.path("out.mkv")
    #expect(throws: CancellationError.self) {
      _ = try PackageWriter(plan, path: path, cancel: cancel, progress: { _ in cancel.cancel() })
        .write()
    }
    // The first report comes after a mebibyte; the film has nearly four.
    #expect(try folder.read("out.mkv").count < 2 << 20)
  }
}
