import Foundation
import SiloTestSupport
import Synchronization
import Testing

@testable import SiloMedia

@Suite struct FilePackagingTests {
  private static func film(_ folder: TemporaryFolder) async throws -> String {
    try folder.write(
      "s.srt",
      "1\n00:00:01,000 --> 00:00:02,000\n<i>Merhaba</i>\n\n2\n00:00:03,000 --> 00:00:03,500\nA & B\n"
    )
    try await Media.make(
      "-f lavfi -i testsrc2=s=160x90:r=25:d=4 -f lavfi -i sine=440:d=4 -f lavfi -i sine=880:d=4 "
        + "-i s.srt -map 0 -map 1 -map 2 -map 3 -c:v libx264 -preset ultrafast -bf 2 -x264-params bframes=2 -g 25 "
        + "-c:a:0 aac -c:a:1 ac3 -ac:a:1 6 -c:s srt -metadata:s:a:0 language=tur "
        + "-metadata:s:a:1 language=ger -metadata:s:s:0 language=tur film.mkv", in: folder.path)
    return folder.path("film.mkv")
  }

  private static func tracks() -> [PackageTrack] {
    [
      PackageTrack(id: TrackID(.video, 0), input: 0, ordinal: 0, isDefault: true),
      PackageTrack(
        id: TrackID(.audio, 0), input: 0, ordinal: 0, language: LanguageTag("tr"),
        title: "Türkçe", isDefault: true),
      PackageTrack(
        id: TrackID(.audio, 1), input: 0, ordinal: 1, language: LanguageTag("de"),
        title: "Kommentar", role: .commentary),
      PackageTrack(
        id: TrackID(.subtitle, 0), input: 0, ordinal: 0, language: LanguageTag("tr"),
        isForced: true),
    ]
  }

  @Test(arguments: OutputContainer.allCases)
  func `Tracks of a file keep packets, times, languages and flags`(container: OutputContainer)
    async throws
  {
    let folder = try TemporaryFolder()
    let film = try await Self.film(folder)
    let file = folder.path("out.\(container.rawValue)")
    let plan = PackagePlan(
      inputs: [.file(try .file(URL(fileURLWithPath: film)))], tracks: Self.tracks(),
      chapters: [
        Chapter(start: .zero, end: .seconds(2), title: "Bir"),
        Chapter(start: .seconds(2), end: .seconds(4), title: "İki"),
      ], title: "Film", container: container)
    let early = Mutex<[Data?]>([])
    let written = try await plan.write(to: URL(fileURLWithPath: file)) { _ in
    } written: {
      early.withLock { $0.append(FileManager.default.contents(atPath: file)) }
    }
    // Whoever reads it from then on, reads what it will be.
    #expect(early.withLock { $0 } == [FileManager.default.contents(atPath: file)])
    #expect(written.audio.map(\.language?.description) == ["tr", "de"])
    #expect(written.audio.map(\.title) == ["Türkçe", "Kommentar"])
    #expect(written.audio.map(\.role) == [.main, .commentary])
    #expect(written.audio.map(\.isDefault) == [true, false])
    #expect(written.chapters.map(\.title) == ["Bir", "İki"])
    let streams = try await Probe.streams(file)
    #expect(
      streams.prefix(4).map(\.codec) == [
        "h264", "aac", "ac3", container == .mp4 ? "mov_text" : "subrip",
      ])
    for stream in ["v:0", "a:0", "a:1"] {
      let (a, b) = (
        try await Probe.packetHashes(film, stream), try await Probe.packetHashes(file, stream)
      )
      #expect(!a.isEmpty && a == b, "\(stream)")
      let first = (try await Probe.firstTime(film, stream), try await Probe.firstTime(file, stream))
      let origin = try await Probe.firstTime(film, "v:0") ?? 0
      #expect(
        abs(
          (first.0 ?? 9) - origin - (first.1 ?? 0) + (try await Probe.firstTime(file, "v:0") ?? 0))
          < 0.002, "\(stream) \(first)")
    }
    #expect(try await Probe.decoderComplaints(file) == [])
    #expect(abs((try await Probe.duration(file) ?? 0) - 4) < 0.1)
    let texts = try await run(
      "ffmpeg", ["-v", "error", "-i", file, "-map", "0:s:0", "-f", "srt", "-"])
    #expect(
      texts.stdout.contains("00:00:01,0") && texts.stdout.contains("Merhaba")
        && texts.stdout.contains("A & B"))
  }

  @Test(arguments: OutputContainer.allCases)
  func `Equal inputs give equal files, byte for byte`(container: OutputContainer) async throws {
    let folder = try TemporaryFolder()
    let film = try await Self.film(folder)
    let plan = PackagePlan(
      inputs: [.file(try .file(URL(fileURLWithPath: film)))], tracks: Self.tracks(),
      chapters: [Chapter(start: .zero, end: .seconds(4), title: "Bir")], title: "Film",
      container: container)
    for name in ["a", "b"] {
      _ = try await plan.write(to: URL(fileURLWithPath: folder.path(name)))
    }
    let (a, b) = (try folder.read("a"), try folder.read("b"))
    #expect(a.count > 10_000 && a == b)
  }

  @Test func `A track that is not there is named`() async throws {
    let folder = try TemporaryFolder()
    let film = try await Self.film(folder)
    var tracks = Self.tracks()
    tracks[2].ordinal = 7
    let plan = PackagePlan(
      inputs: [.file(try .file(URL(fileURLWithPath: film)))], tracks: tracks, container: .mkv)
    let error = await #expect(throws: MediaError.self) {
      try await plan.write(to: URL(fileURLWithPath: folder.path("o.mkv")))
    }
    #expect(error?.code == .notFound && error?.message.contains("a1") == true)
  }

  @Test func `A codec that the container has no name for is refused as such`() async throws {
    let folder = try TemporaryFolder()
    try await Media.make("-f lavfi -i sine=440:d=1 -c:a adpcm_ima_qt film.mov", in: folder.path)
    let source = try MediaSource.file(URL(fileURLWithPath: folder.path("film.mov")))
    let track = PackageTrack(id: TrackID(.audio, 0), input: 0, ordinal: 0, isDefault: true)
    let error = await #expect(throws: MediaError.self) {
      try await PackagePlan(inputs: [.file(source)], tracks: [track], container: .mkv)
        .write(to: URL(fileURLWithPath: folder.path("out.mkv")))
    }
    #expect(error?.code == .unsupported, "\(String(describing: error))")
    #expect(error?.message.contains("adpcm_ima_qt") == true)
  }

  @Test func `A cancelled task ends with cancellation`() async throws {
    let folder = try TemporaryFolder()
    let film = try await Self.film(folder)
    let source = try MediaSource.file(URL(fileURLWithPath: film))
    let path = folder.path("o.mkv")
    let task = Task {
      try await PackagePlan(inputs: [.file(source)], tracks: Self.tracks(), container: .mkv)
        .write(to: URL(fileURLWithPath: path))
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
