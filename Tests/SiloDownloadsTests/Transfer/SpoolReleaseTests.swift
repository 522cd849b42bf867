import Foundation
import SiloMedia
import SiloSystem
import SiloTestSupport
import Synchronization
import Testing

@testable import SiloDownloads

@Suite(.timeLimit(.minutes(5))) struct SpoolReleaseTests {
  private let folder: TemporaryFolder
  private let impatient = Waiting(now: Waiting.system.now, sleep: { _ in })

  init() throws { folder = try TemporaryFolder() }

  private func transfer(_ fetcher: ScriptedFetcher, _ parts: String = "parts") throws
    -> SegmentTransfer
  {
    try SegmentTransfer(
      fetcher: fetcher, folder: folder.url.appendingPathComponent(parts), waiting: impatient)
  }

  /// Segments of an earlier run, of which the parts with these numbers were given back.
  private func freed(_ count: Int, _ numbers: [Int]) async throws -> RenditionRequest {
    let request = RenditionRequest(
      name: "video", playlist: try SampleSegments.playlist("v", count))
    let spooled = try await transfer(ScriptedFetcher { path, _, _ in SampleSegments.stream(path) })
      .run([request])
    let journal = try SpoolJournal.open(
      folder.path("parts/journal.sqlite"), boot: SpoolFile.boot())
    try journal.markFreed(numbers.map { (spooled.ids[0], $0) })
    let spool = try OwnedDescriptor.open(spooled.spools[0].path, .update)
    for number in numbers {
      try spool.write(
        [UInt8](repeating: 0, count: 1880),
        at: #require(spooled.spools[0].table.known(number)).lowerBound)
    }
    return request
  }

  @Test func `Parts that were given back are fetched again into their places`() async throws {
    let request = try await freed(40, [3, 4, 39])
    let fetcher = ScriptedFetcher { path, _, _ in SampleSegments.stream(path) }
    let seen = Mutex<[SegmentProgress]>([])
    let spooled = try await transfer(fetcher).run([request]) { progress in
      seen.withLock { $0.append(progress) }
    }
    #expect(fetcher.requests.sorted() == ["/film/v3.ts", "/film/v39.ts", "/film/v4.ts"])
    let expected = (0..<40).flatMap { SampleSegments.stream("/film/v\($0).ts") }
    #expect(try [UInt8](Data(contentsOf: spooled.spools[0].url)) == expected)
    #expect(spooled.spools[0].table.isWhole)
    let counts = seen.withLock { $0.map(\.segmentCount) }
    #expect(counts == [37, 38, 39, 40])
    // Nothing is missing any more.
    let third = ScriptedFetcher { path, _, _ in SampleSegments.stream(path) }
    _ = try await transfer(third).run([request])
    #expect(third.requests == [])
  }

  @Test func `What was given back and is another now starts its rendition over`() async throws {
    let request = try await freed(12, [2, 5])
    let fetcher = ScriptedFetcher { path, _, _ in
      SampleSegments.stream(path == "/film/v5.ts" ? "/other" : path)
    }
    let spooled = try await transfer(fetcher).run([request])
    let expected = (0..<12).flatMap {
      SampleSegments.stream($0 == 5 ? "/other" : "/film/v\($0).ts")
    }
    #expect(try [UInt8](Data(contentsOf: spooled.spools[0].url)) == expected)
    #expect(Set(fetcher.requests).count == 12 && fetcher.requests.count <= 14)
  }

  @Test func `Neighbours are given back together`() {
    #expect(SpoolRelease.joined([5..<9, 0..<2, 2..<5, 12..<13]) == [0..<9, 12..<13])
  }

  // MARK: - A film

  private static let segments = 50

  private func film() async throws -> [RenditionRequest] {
    try await Media.make(
      "-f lavfi -i testsrc2=s=640x360:r=25:d=20 -f lavfi -i sine=440:d=20:r=48000 -map 0 -map 1 "
        + "-c:v libx264 -preset ultrafast -qp 12 -x264-params keyint=10:min-keyint=10 -c:a aac "
        + "-f hls -hls_time 0.4 -hls_playlist_type vod -hls_list_size 0 -hls_segment_type fmp4 "
        + "-hls_fmp4_init_filename init.mp4 -hls_segment_filename v%d.m4s v.m3u8",
      in: folder.path)
    let text = String(decoding: try folder.read("v.m3u8"), as: UTF8.self)
    return [RenditionRequest(name: "video", playlist: try SampleSegments.parse(text))]
  }

  private func server() -> ScriptedFetcher {
    let root = folder.path
    return ScriptedFetcher { path, _, _ in
      [UInt8](try Data(contentsOf: URL(filePath: root + "/" + path.dropFirst("/film/".count))))
    }
  }

  private func write(_ inputs: [RenditionInput], to name: String) async throws {
    let plan = PackagePlan(
      inputs: inputs.map { .arriving($0) },
      tracks: [
        PackageTrack(id: TrackID(.video, 0), input: 0, ordinal: 0, isDefault: true),
        PackageTrack(id: TrackID(.audio, 0), input: 0, ordinal: 0, isDefault: true),
      ], container: .mkv)
    _ = try await plan.write(to: URL(filePath: folder.path(name)))
  }

  private func givesHoles() throws -> Bool {
    let file = try OwnedDescriptor.open(folder.path("holes"), .create)
    try file.write([UInt8](repeating: 1, count: 65_536), at: 0)
    return try file.punchHole(0..<65_536)
  }

  @Test
  func
    `Spools and file together stay near the size of the file, and a kill costs what was given back`()
    async throws
  {
    // On such a file system everything is kept.
    guard try givesHoles() else { return }
    let requests = try await film()
    let spooled = try await transfer(server()).run(requests)
    try await write(spooled.spools, to: "whole.mkv")
    let (output, parts, killed) = (
      folder.path("out.mkv"), folder.path("parts"), folder.path("killed")
    )
    let peak = Mutex<Int64>(0)
    let steps = Mutex(0)
    let sample: @Sendable () -> Void = {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: parts)) ?? []
      let sum = names.reduce(FileSystem.allocatedByteCount(of: output)) {
        $0 + FileSystem.allocatedByteCount(of: parts + "/" + $1)
      }
      peak.withLock { $0 = max($0, sum) }
    }
    let release = try SpoolRelease(spooled, folder: parts, output: output) {
      // What a kill at this moment would leave.
      if steps.withLock({
        $0 += 1; return $0
      }) == 6 {
        try? FileManager.default.copyItem(atPath: parts, toPath: killed)
      }
    }
    let inputs = release.renditions.map { input in
      var input = input
      let passed = input.passed
      input.passed = { part in
        sample()
        passed?(part)
        sample()
      }
      return input
    }
    try await write(inputs, to: "out.mkv")
    sample()
    let whole = try folder.read("whole.mkv")
    #expect(try folder.read("out.mkv") == whole)
    let ratio = peak.withLock { Double($0) / Double(whole.count) }
    #expect(ratio <= 1.15 && ratio > 1, "\(ratio)")

    let journal = try SpoolJournal.open(killed + "/journal.sqlite", boot: SpoolFile.boot())
    let gone = try journal.rendition("video").rows.count { $0.isFreed }
    #expect(gone >= 6 && gone < Self.segments)
    let fetcher = server()
    let again = try await transfer(fetcher, "killed").run(requests)
    #expect(fetcher.requests.count == gone)
    try await write(again.spools, to: "again.mkv")
    #expect(try folder.read("again.mkv") == whole)
  }
}
