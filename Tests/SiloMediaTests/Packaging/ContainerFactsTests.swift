import Foundation
import SiloSystem
import SiloTestSupport
import Testing

@testable import SiloMedia

@Suite struct ContainerFactsTests {
  private static func film(_ folder: TemporaryFolder) async throws -> MediaSource {
    try folder.write("s.srt", "1\n00:00:00,500 --> 00:00:01,000\nOlá\n")
    try await Media.make(
      "-f lavfi -i testsrc2=s=64x64:r=25:d=2 -f lavfi -i sine=440:d=2 -f lavfi -i sine=880:d=2 "
        + "-i s.srt -i s.srt -map 0 -map 1 -map 2 -map 3 -map 4 -c:v libx265 -preset ultrafast "
        + "-x265-params log-level=none -c:a aac -c:s srt film.mkv", in: folder.path)
    return try .file(URL(fileURLWithPath: folder.path("film.mkv")))
  }

  private static let tracks = [
    PackageTrack(id: TrackID(.video, 0), input: 0, ordinal: 0, isDefault: true),
    PackageTrack(
      id: TrackID(.audio, 0), input: 0, ordinal: 0, language: LanguageTag("pt-BR"),
      title: "Português (Brasil)", isOriginal: true),
    PackageTrack(
      id: TrackID(.audio, 1), input: 0, ordinal: 1, language: LanguageTag("zh-Hant"),
      isDefault: true, role: .description),
    PackageTrack(
      id: TrackID(.subtitle, 0), input: 0, ordinal: 0, language: LanguageTag("pt-BR"),
      isForced: true),
    PackageTrack(
      id: TrackID(.subtitle, 1), input: 0, ordinal: 1, language: LanguageTag("de"),
      title: "Für Gehörlose", role: .commentary, isHearingImpaired: true),
  ]

  @Test(arguments: OutputContainer.allCases)
  func `Regions, scripts, flags and titles are in the file`(container: OutputContainer)
    async throws
  {
    let folder = try TemporaryFolder()
    let file = folder.path("out.\(container.rawValue)")
    let plan = PackagePlan(
      inputs: [.file(try await Self.film(folder))], tracks: Self.tracks, container: container)
    let written = try await plan.write(to: URL(fileURLWithPath: file))
    #expect(written.audio.map(\.storedLanguage) == ["pt-BR", "zh-Hant"])
    #expect(written.subtitles.map(\.storedLanguage?.count) == [5, 3])
    #expect(written.audio.map(\.role) == [.main, .description])

    let streams = try await Probe.streams(file)
    #expect(streams.map(\.isDefault) == [true, false, true, false, false], "\(streams)")
    #expect(streams.map(\.title)[1] == "Português (Brasil)")
    #expect(streams.map(\.title)[4] == "Für Gehörlose")
    #expect(streams[3].dispositions.contains("forced"))
    #expect(streams[4].dispositions.contains("hearing_impaired"))
    #expect(streams[2].dispositions.contains("visual_impaired"))
    #expect(streams[0].codecTag == (container == .mp4 ? "hvc1" : "[0][0][0][0]"))
    let letters = container == .mp4 ? ["por", "zho", "por", "deu"] : ["por", "chi", "por", "ger"]
    #expect(streams.dropFirst().map(\.language) == letters)
    #expect(try await Probe.decoderComplaints(file) == [])
  }

  @Test func `The index of an MP4 file stands before its media`() async throws {
    let folder = try TemporaryFolder()
    let plan = PackagePlan(
      inputs: [.file(try await Self.film(folder))], tracks: Self.tracks,
      chapters: [Chapter(start: .zero, end: .seconds(1), title: "Um")], container: .mp4)
    _ = try await plan.write(to: URL(fileURLWithPath: folder.path("out.mp4")))
    let bytes = try folder.read("out.mp4")
    let boxes = MP4Box.list(bytes[...])
    #expect(boxes.map(\.type).filter { $0 != "free" } == ["ftyp", "moov", "mdat"])
    #expect(boxes.last?.payload.endIndex == bytes.count)
    let room = boxes.filter { $0.type == "free" }.reduce(0) { $0 + $1.payload.count }
    #expect(room < 20_000, "\(room)")
  }

  @Test func `An index that is larger than its room stands behind the media`() async throws {
    let folder = try TemporaryFolder()
    let film = try await Self.film(folder)
    let plan = PackagePlan(inputs: [.file(film)], tracks: Self.tracks, container: .mp4)
    let small = folder.path("small.mp4")
    var writer = try PackageWriter(plan, path: small, cancel: .init(), progress: { _ in })
    writer.indexRoomLimit = 64
    _ = try writer.write()
    let boxes = MP4Box.list(try folder.read("small.mp4")[...])
    #expect(boxes.map(\.type).filter { $0 != "free" } == ["ftyp", "mdat", "moov"])
    #expect(try await Probe.decoderComplaints(small) == [])
    let large = folder.path("large.mp4")
    _ = try await plan.write(to: URL(fileURLWithPath: large))
    for stream in ["v:0", "a:0", "s:1"] {
      let (a, b) = (
        try await Probe.packetHashes(small, stream), try await Probe.packetHashes(large, stream)
      )
      #expect(!a.isEmpty && a == b)
    }
  }

  @Test func `A name makes room for a language whatever their lengths`() throws {
    for count in Array(0...300) {
      for language in ["pt-BR", "zh-Hant-TW"] {
        let title = count == 0 ? nil : String(repeating: "t", count: count)
        let room = MatroskaNameRoom(title: title, language: language)
        let length = room.placeholder.utf8.count
        let whole = 2 + (length < 127 ? 1 : 2) + length
        let bytes = try #require(room.replacement(of: whole), "\(count) \(language)")
        #expect(bytes.count == whole)
        let elements = EBMLElement.list(bytes[...])
        #expect(elements.first { $0.id == 0x536E }?.text == title)
        #expect(elements.first { $0.id == 0x22B59D }?.text == language)
      }
    }
  }

  @Test func `What MP4 cannot keep is told`() {
    var track = PackageTrack(id: TrackID(.audio, 1), input: 0, ordinal: 0, isOriginal: true)
    var plan = PackagePlan(inputs: [], tracks: [track], container: .mp4)
    #expect(plan.losses.count == 1 && plan.losses.first?.contains("a1") == true)
    plan.container = .mkv
    #expect(plan.losses == [])
    track.isOriginal = false
    #expect(PackagePlan(inputs: [], tracks: [track], container: .mp4).losses == [])
  }
}
