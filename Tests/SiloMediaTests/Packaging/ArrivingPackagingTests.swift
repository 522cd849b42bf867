import Foundation
import SiloSystem
import SiloTestSupport
import Testing

@testable import SiloMedia

@Suite(.timeLimit(.minutes(5))) struct ArrivingPackagingTests {
  private static func hls(
    _ name: String, _ source: String, form: String = "mpegts", offset: Double = 10,
    in folder: TemporaryFolder
  ) async throws {
    try await Media.make(
      source
        + " -output_ts_offset \(offset) -muxdelay 0 -muxpreload 0 -f hls -hls_time 1 -hls_playlist_type vod "
        + "-hls_segment_type \(form) -hls_fmp4_init_filename \(name)-init.mp4 "
        + "-hls_segment_filename \(name)-%d.\(form == "fmp4" ? "m4s" : "ts") \(name).m3u8",
      in: folder.path)
  }

  private static let pictures =
    "-f lavfi -i testsrc2=s=160x90:r=25:d=6 -c:v libx264 -preset ultrafast -x264-params bframes=2:keyint=25:min-keyint=25"
  private static let sound = "-f lavfi -i sine=440:d=6:r=48000 -c:a aac"

  private static func plan(_ inputs: [PackageInput], _ container: OutputContainer) -> PackagePlan {
    let ids = [TrackID(.video, 0), TrackID(.audio, 0), TrackID(.subtitle, 0)]
    let tracks = zip(inputs.indices, ids).map { input, id in
      PackageTrack(
        id: id, input: input, ordinal: 0, language: id.kind == .video ? nil : LanguageTag("tr"),
        isDefault: id.kind != .subtitle)
    }
    return PackagePlan(inputs: inputs, tracks: tracks, container: container)
  }

  /// Writes while the parts of all inputs arrive in turn, none of them before the writer has made its plan.
  private static func writeEarly(
    _ arriving: [(input: PackageInput, bringNext: () throws -> Bool)],
    _ container: OutputContainer, to path: String
  ) async throws {
    let plan = plan(arriving.map(\.input), container)
    let writer = try PackageWriter(
      plan, path: path, cancel: CancellationFlag(), progress: { _ in })
    async let written = onOwnThread(named: "package") { _ in try writer.write() }
    var isMore = true
    while isMore {
      isMore = false
      for (_, bringNext) in arriving where try bringNext() { isMore = true }
      await Task.yield()
    }
    _ = try await written
  }

  @Test(arguments: ["mpegts", "fmp4"], OutputContainer.allCases)
  func `What is written while segments arrive is what is written afterwards, byte for byte`(
    form: String, container: OutputContainer
  ) async throws {
    let folder = try TemporaryFolder()
    try await Self.hls("v", Self.pictures, form: form, in: folder)
    try await Self.hls("a", Self.sound, form: form, in: folder)
    var renditions = [SpooledRendition(), SpooledRendition(), SpooledRendition()]
    try renditions[0].append("v.m3u8", in: folder)
    try renditions[1].append("a.m3u8", in: folder)
    for second in 0..<3 {
      let text =
        "WEBVTT\n\n00:00:0\(2 * second).200 --> 00:00:0\(2 * second + 1).000\nLine \(second)\n"
      renditions[2].append(Array(text.utf8), length: .seconds(2))
    }
    let forms: [RenditionSpool.Form] = [.media, .media, .webVTT]
    let after = folder.path("after.\(container.rawValue)")
    let inputs = try zip(renditions, forms).enumerated().map { index, rendition in
      try rendition.0.input("\(index).spool", in: folder, form: rendition.1)
    }
    _ = try await Self.plan(inputs, container).write(to: URL(fileURLWithPath: after))
    let early = folder.path("early.\(container.rawValue)")
    let arriving = try zip(renditions, forms).enumerated().map { index, rendition in
      try rendition.0.arriving("\(index)-early.spool", in: folder, form: rendition.1)
    }
    try await Self.writeEarly(arriving, container, to: early)
    let expected = try folder.read("after.\(container.rawValue)")
    let found = try folder.read("early.\(container.rawValue)")
    #expect(found == expected, "\(found.count) and \(expected.count) bytes")
  }

  @Test func `A clock that turns out to jump is not written over`() async throws {
    let folder = try TemporaryFolder()
    var video = SpooledRendition()
    for (name, offset) in [("v", 10.0), ("w", 2000.0)] {
      try await Self.hls(name, Self.pictures, offset: offset, in: folder)
      try video.append("\(name).m3u8", in: folder)
    }
    let error = await #expect(throws: MediaError.self) {
      try await Self.writeEarly(
        [video.arriving("early.spool", in: folder)], .mkv, to: folder.path("early.mkv"))
    }
    #expect(error?.code == .internal)
    // When all is there before the plan is made, the jump is known.
    let whole = try video.input("whole.spool", in: folder)
    _ = try await Self.plan([whole], .mkv)
      .write(to: URL(fileURLWithPath: folder.path("whole.mkv")))
  }

  @Test func `Whoever waits for a part gets it when it arrives, or what the spool was closed with`()
    async throws
  {
    let table = try SpoolTable(partCount: 3)
    table.append(0..<10)
    async let first = onOwnThread { _ in try table.range(of: 0) }
    async let second = onOwnThread { _ in try table.range(of: 1) }
    #expect(try await first == 0..<10)
    table.append(10..<30)
    #expect(try await second == 10..<30)
    async let third = onOwnThread { _ in Result { try table.range(of: 2) } }
    table.close(CancellationError())
    let outcome = try await third
    #expect(throws: CancellationError.self) { try outcome.get() }
    // What is there stays.
    #expect(try table.range(of: 1) == 10..<30 && table.known(2) == nil && !table.isWhole)
    #expect(throws: (any Error).self) { try SpoolTable([0..<1]).range(of: 1) }
  }
}
