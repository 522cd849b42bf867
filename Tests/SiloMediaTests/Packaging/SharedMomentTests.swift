import Foundation
import SiloTestSupport
import Testing

@testable import SiloMedia

/// Packets of one track that fall on one tick of Matroska's clock.
@Suite struct SharedMomentTests {
  private static func packaged(_ name: String, _ ids: [TrackID], in folder: TemporaryFolder)
    async throws -> String
  {
    let tracks = ids.map {
      PackageTrack(id: $0, input: 0, ordinal: $0.ordinal, isDefault: $0.kind != .subtitle)
    }
    let source = try MediaSource.file(URL(fileURLWithPath: folder.path(name)))
    let file = folder.path("out.mkv")
    _ = try await PackagePlan(inputs: [.file(source)], tracks: tracks, container: .mkv)
      .write(to: URL(fileURLWithPath: file))
    return file
  }

  @Test(arguments: ["mkv", "mp4"])
  func `Frames of less than a millisecond keep their times`(form: String) async throws {
    let folder = try TemporaryFolder()
    try await Media.make(
      "-f lavfi -i sine=440:d=4:r=48000 -c:a truehd -ac 2 -strict -2 film.\(form)", in: folder.path)
    let film = folder.path("film.\(form)")
    let file = try await Self.packaged("film.\(form)", [TrackID(.audio, 0)], in: folder)
    let (wanted, found) = (try await Probe.times(film, "a:0"), try await Probe.times(file, "a:0"))
    #expect(wanted.count > 4000)
    #expect(wanted.count == found.count)
    #expect(zip(wanted, found).allSatisfy { abs($0 - $1) < 0.0011 })
    #expect(try await Probe.packetHashes(film, "a:0") == Probe.packetHashes(file, "a:0"))
  }

  @Test func `Hundreds of styled lines that begin together still do`() async throws {
    let folder = try TemporaryFolder()
    let lines = (0..<300).map { "Dialogue: \($0),0:00:01.00,0:00:03.00,Default,,0,0,0,,\($0)\n" }
    try folder.write(
      "s.ass",
      "[Script Info]\nScriptType: v4.00+\n\n[V4+ Styles]\nFormat: Name, Fontname, Fontsize\n"
        + "Style: Default,Arial,20\n\n[Events]\n"
        + "Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n"
        + lines.joined() + "Dialogue: 0,0:00:01.10,0:00:03.00,Default,,0,0,0,,later\n")
    try await Media.make(
      "-f lavfi -i sine=440:d=4:r=48000 -i s.ass -map 0 -map 1 -c:a flac -c:s copy film.mkv",
      in: folder.path)
    let ids = [TrackID(.audio, 0), TrackID(.subtitle, 0)]
    let file = try await Self.packaged("film.mkv", ids, in: folder)
    let times = try await Probe.times(file, "s:0")
    #expect(times == Array(repeating: 1, count: 300) + [1.1])
  }

  @Test(arguments: [
    ("srt", "00:00:01,000 --> 00:00:02,000", "00:00:01,000 --> 00:00:03,000"),
    ("vtt", "00:00:01.000 --> 00:00:02.000", "00:00:01.000 --> 00:00:03.000"),
  ])
  func `Texts shown together are one text of an MP4, and the next one is in time`(
    form: String, first: String, second: String
  ) async throws {
    let folder = try TemporaryFolder()
    let mark = form == "srt" ? "," : "."
    let text =
      "\(form == "vtt" ? "WEBVTT\n\n" : "")1\n\(first)\nA\n\n2\n\(second)\nB\n\n"
      + "3\n00:00:02\(mark)500 --> 00:00:02\(mark)800\nC\n\n"
      + "4\n00:00:20\(mark)000 --> 00:00:21\(mark)000\nD\n"
    try folder.write("s.\(form)", text)
    try await Media.make(
      "-f lavfi -i sine=440:d=40:r=48000 -i s.\(form) -map 0 -map 1 -c:a flac -c:s copy film.mkv",
      in: folder.path)
    let tracks = [
      PackageTrack(id: TrackID(.audio, 0), input: 0, ordinal: 0, isDefault: true),
      PackageTrack(id: TrackID(.subtitle, 0), input: 0, ordinal: 0),
    ]
    let source = try MediaSource.file(URL(fileURLWithPath: folder.path("film.mkv")))
    let file = folder.path("out.mp4")
    _ = try await PackagePlan(inputs: [.file(source)], tracks: tracks, container: .mp4)
      .write(to: URL(fileURLWithPath: file))
    try await Media.make("-i out.mp4 -map 0:s -c:s webvtt out.vtt", in: folder.path)
    let shown = String(decoding: try folder.read("out.vtt"), as: UTF8.self)
      .split(separator: "\n\n").dropFirst().map { $0.trimmingCharacters(in: .newlines) }
    #expect(
      shown == [
        "00:01.000 --> 00:02.000\nA\nB", "00:02.000 --> 00:02.500\nB",
        "00:02.500 --> 00:02.800\nB\nC", "00:02.800 --> 00:03.000\nB",
        "00:20.000 --> 00:21.000\nD",
      ])
  }
}
