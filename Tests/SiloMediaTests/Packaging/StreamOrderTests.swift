import Foundation
import SiloTestSupport
import Synchronization
import Testing

@testable import SiloMedia

/// A muxed rendition whose later stretches have their tracks in another order.
@Suite struct StreamOrderTests {
  /// The sounds of a stretch in the order of its streams, and what is heard: a tone for each language.
  private struct Stretch {
    var name: String
    var languages: [String]
  }

  private static let tones = ["tur": 330, "eng": 660, "ger": 990]

  private static func make(_ stretch: Stretch, form: String, in folder: TemporaryFolder)
    async throws
  {
    let inputs = stretch.languages.map { "-f lavfi -i sine=\(tones[$0] ?? 220):d=2:r=48000" }
    let maps = stretch.languages.indices.map {
      "-map \($0 + 1) -metadata:s:a:\($0) language=\(stretch.languages[$0])"
    }
    let suffix = form == "fmp4" ? "m4s" : "ts"
    try await Media.make(
      "-f lavfi -i testsrc2=s=160x90:r=25:d=2 \(inputs.joined(separator: " ")) "
        + "-map 0 \(maps.joined(separator: " ")) -c:v libx264 -preset ultrafast -c:a ac3 "
        + "-muxdelay 0 -muxpreload 0 -f hls -hls_time 2 -hls_playlist_type vod "
        + "-hls_segment_type \(form) -hls_fmp4_init_filename \(stretch.name)-init.mp4 "
        + "-hls_segment_filename \(stretch.name)-%d.\(suffix) \(stretch.name).m3u8", in: folder.path
    )
  }

  private static func packaged(_ stretches: [[String]], form: String, in folder: TemporaryFolder)
    async throws -> (file: String, warnings: [String])
  {
    var spool = SpooledRendition()
    for (run, languages) in stretches.enumerated() {
      try await make(Stretch(name: "r\(run)", languages: languages), form: form, in: folder)
      try spool.append("r\(run).m3u8", in: folder, run: run)
    }
    var tracks = [PackageTrack(id: TrackID(.video, 0), input: 0, ordinal: 0, isDefault: true)]
    for (index, language) in stretches[0].enumerated() {
      tracks.append(
        PackageTrack(
          id: TrackID(.audio, index), input: 0, ordinal: index, language: LanguageTag(language),
          isDefault: index == 0))
    }
    let warnings = Mutex<[String]>([])
    let file = folder.path("out.mkv")
    _ = try await PackagePlan(
      inputs: [try spool.input("r.spool", in: folder)], tracks: tracks, container: .mkv
    ).write(
      to: URL(fileURLWithPath: file), warning: { text in warnings.withLock { $0.append(text) } })
    return (file, warnings.withLock { $0 })
  }

  /// The packets of a language in the segments, in order; `languages` names that of each stretch.
  private static func packets(
    of languages: [String], in stretches: [[String]], _ folder: TemporaryFolder
  ) async throws -> [String] {
    var all: [String] = []
    for (run, language) in languages.enumerated() {
      let place = try #require(stretches[run].firstIndex(of: language))
      // The side data of MPEG-TS has lines of its own.
      let lines = try await Probe.packetHashes(folder.path("r\(run).m3u8"), "a:\(place)")
      all += lines.filter { $0.hasPrefix("MD5:") }
    }
    return all
  }

  @Test(arguments: ["mpegts", "fmp4"])
  func `Each language stays in its track when the streams change places`(form: String) async throws
  {
    let folder = try TemporaryFolder()
    let stretches = [["tur", "eng"], ["eng", "tur"], ["ger", "eng", "tur"]]
    let (file, warnings) = try await Self.packaged(stretches, form: form, in: folder)
    #expect(warnings == [])
    for (place, language) in ["tur", "eng"].enumerated() {
      let wanted = try await Self.packets(
        of: [language, language, language], in: stretches, folder)
      #expect(try await Probe.packetHashes(file, "a:\(place)") == wanted, "\(language)")
    }
  }

  @Test func `A stretch in another language only is taken, and said`() async throws {
    let folder = try TemporaryFolder()
    let stretches = [["tur"], ["eng"], ["tur"], ["eng"]]
    let (file, warnings) = try await Self.packaged(stretches, form: "mpegts", in: folder)
    #expect(warnings == ["At 2.0 s the track a0 is in en at the source, and not in tr."])
    #expect(
      try await Probe.packetHashes(file, "a:0")
        == Self.packets(of: ["tur", "eng", "tur", "eng"], in: stretches, folder))
  }

  @Test func `A track that a stretch does not have is named with its place`() async throws {
    let folder = try TemporaryFolder()
    let error = await #expect(throws: MediaError.self) {
      _ = try await Self.packaged([["tur", "eng"], ["eng"]], form: "mpegts", in: folder)
    }
    #expect(error?.code == .unsupported)
    #expect(
      error?.message
        == "From 2.0 s on (media sequence 1) the source has no track a0, which it had before; leave that track out."
    )
  }
}
