import Foundation
import SiloTestSupport
import Synchronization
import Testing

@testable import SiloMedia

@Suite struct PackedAudioTests {
  /// An ID3 tag that says at which 90 kHz time a segment starts.
  private static func tag(_ time: Int64, upperBits: UInt8 = 0) -> [UInt8] {
    let owner = Array("com.apple.streaming.transportStreamTimestamp".utf8) + [0]
    let number = [UInt8](
      (0..<8).map { UInt8(truncatingIfNeeded: time >> Int64(8 * (7 - $0))) })
    let body = owner + [number[0] | upperBits] + number.dropFirst()
    let frame = Array("PRIV".utf8) + [0, 0, 0, UInt8(body.count), 0, 0] + body
    return Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, UInt8(frame.count)] + frame
  }

  /// Pictures that start at a raw time of ten seconds, and the sound of a codec in plain segments.
  private static func plan(
    _ codec: String, offset: Double?, upperBits: UInt8 = 0, in folder: TemporaryFolder
  ) async throws -> PackagePlan {
    try await Media.make(
      "-f lavfi -i testsrc2=s=64x64:r=25:d=6 -c:v libx264 -preset ultrafast -g 50 -output_ts_offset 10 "
        + "-muxdelay 0 -muxpreload 0 -f hls -hls_time 2 -hls_playlist_type vod v.m3u8",
      in: folder.path)
    try await Media.make(
      "-f lavfi -i sine=440:d=6:r=48000 -map 0:a -c:a \(codec == "mp3" ? "libmp3lame" : codec) -f segment "
        + "-segment_time 2 -segment_format \(codec == "aac" ? "adts" : codec) p%d.bin",
      in: folder.path)
    var (video, audio) = (SpooledRendition(), SpooledRendition())
    try video.append("v.m3u8", in: folder)
    let first = try await Probe.firstTime(folder.path("v0.ts"), "v:0") ?? 0
    for number in 0..<3 {
      let start = first + (offset ?? 0) + 2 * Double(number)
      let tag = offset == nil ? [] : tag(Int64((start * 90_000).rounded()), upperBits: upperBits)
      audio.append(tag + (try folder.read("p\(number).bin")), length: .seconds(2))
    }
    return PackagePlan(
      inputs: [
        try video.input("v.spool", in: folder), try audio.input("a.spool", in: folder),
      ],
      tracks: [
        PackageTrack(id: TrackID(.video, 0), input: 0, ordinal: 0, isDefault: true),
        PackageTrack(id: TrackID(.audio, 0), input: 1, ordinal: 0, isDefault: true),
      ], container: .mkv)
  }

  @Test(arguments: [("aac", 0), ("ac3", 0), ("eac3", 0), ("mp3", 0), ("aac", 0xA5)])
  func `Sound in plain segments starts where its tag says`(codec: String, upperBits: Int)
    async throws
  {
    let folder = try TemporaryFolder()
    let plan = try await Self.plan(codec, offset: 0.5, upperBits: UInt8(upperBits), in: folder)
    let file = folder.path("out.mkv")
    let warnings = Mutex<[String]>([])
    let written = try await plan.write(
      to: URL(fileURLWithPath: file),
      warning: { text in warnings.withLock { $0.append(text) } })
    let video = try await Probe.firstTime(file, "v:0") ?? -9
    let audio = try await Probe.firstTime(file, "a:0") ?? -9
    #expect(abs(audio - video - 0.5) < 0.0015, "\(audio) \(video)")
    #expect(written.audio.first?.codec.name == codec)
    #expect(warnings.withLock { $0 } == [])
    #expect(try await Probe.decoderComplaints(file) == [])
  }

  @Test func `Sound without a tag is placed by the playlist, and that is told`() async throws {
    let folder = try TemporaryFolder()
    let plan = try await Self.plan("aac", offset: nil, in: folder)
    let file = folder.path("out.mkv")
    let warnings = Mutex<[String]>([])
    _ = try await plan.write(
      to: URL(fileURLWithPath: file),
      warning: { text in warnings.withLock { $0.append(text) } })
    let video = try await Probe.firstTime(file, "v:0") ?? -9
    let audio = try await Probe.firstTime(file, "a:0") ?? -9
    #expect(abs(audio - video) < 0.1, "\(audio) \(video)")
    let told = warnings.withLock { $0 }
    #expect(told.count == 1 && told.first?.contains("a0") == true, "\(told)")
  }
}
