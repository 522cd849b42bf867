import Foundation
import SiloDownloads
import SiloMedia
import SiloSystem
import SiloTestSupport
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5))) struct SegmentTransferTests {
  private let folder: TemporaryFolder
  private let impatient = Waiting(now: Waiting.system.now, sleep: { _ in })

  init() throws { folder = try TemporaryFolder() }

  private func transfer(
    _ fetcher: ScriptedFetcher, connections: Int = 16, allowsGaps: Bool = false
  ) throws -> SegmentTransfer {
    try SegmentTransfer(
      fetcher: fetcher, folder: folder.url.appendingPathComponent("parts"),
      requestCount: connections, allowsGaps: allowsGaps, waiting: impatient)
  }

  private func bytes(_ spool: RenditionInput) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: spool.url))
  }

  private func straight(_ name: String, _ numbers: Range<Int>) -> [UInt8] {
    numbers.flatMap { SampleSegments.stream("/film/\(name)\($0).ts") }
  }

  private func failure(_ body: () async throws -> Void) async -> DownloadError? {
    do {
      try await body()
      return nil
    } catch { return error as? DownloadError }
  }

  @Test func `renditions arrive in order whatever order their segments arrive in`() async throws {
    let fetcher = ScriptedFetcher { path, _, _ in
      for _ in 0..<Int.random(in: 0..<20) { await Task.yield() }
      return SampleSegments.stream(path)
    }
    let seen = Mutex<[SegmentProgress]>([])
    let result = try await transfer(fetcher).run([
      RenditionRequest(name: "video", playlist: SampleSegments.playlist("v", 200)),
      RenditionRequest(name: "audio tr", playlist: SampleSegments.playlist("a", 100)),
    ]) { progress in seen.withLock { $0.append(progress) } }
    #expect(try bytes(result.spools[0]) == straight("v", 0..<200))
    #expect(try bytes(result.spools[1]) == straight("a", 0..<100))
    #expect(fetcher.requests.count == 300)
    let last = try #require(result.spools[1].segments.last)
    #expect(result.spools[1].table.known(last.part) == Int64(99 * 1880)..<Int64(100 * 1880))
    #expect(last.mediaSequence == 99 && last.start == .seconds(198))
    let progress = seen.withLock { $0 }
    #expect(zip(progress, progress.dropFirst()).allSatisfy { $0.byteCount <= $1.byteCount })
    #expect(progress.last?.segmentCount == 300 && progress.last?.segmentTotal == 300)
  }

  @Test func `one lost segment names itself, and a rerun asks for what is missing only`()
    async throws
  {
    let broken = ScriptedFetcher { path, _, _ in
      if path.hasSuffix("v6.ts") {
        throw DownloadError(.notFound, "Not found on the server. (HTTP 404)", status: 404)
      }
      return SampleSegments.stream(path)
    }
    let playlist = { try SampleSegments.playlist("v", 12) }
    let error = await failure {
      _ = try await transfer(broken, connections: 3).run([
        .init(name: "video", playlist: playlist())
      ])
    }
    #expect(error?.code == .integrity && error?.status == 404)
    #expect(error?.message.contains("segment 7 of 12 (media sequence 6, 12.0–14.0 s)") == true)
    #expect(error?.description.contains("token") == false)

    let whole = ScriptedFetcher { path, _, _ in SampleSegments.stream(path) }
    let result = try await transfer(whole).run([.init(name: "video", playlist: playlist())])
    #expect(try bytes(result.spools[0]) == straight("v", 0..<12))
    #expect(
      whole.requests.sorted() == ["/film/v10.ts", "/film/v11.ts"]
        + (6...9).map { "/film/v\($0).ts" })
  }

  @Test func `a transfer cancelled at any segment goes on to the same bytes`() async throws {
    for stop in [0, 1, 5, 17, 39] {
      let folder = try TemporaryFolder()
      let playlist = try SampleSegments.playlist("v", 40)
      let fetched = Mutex(0)
      let running = Mutex<Task<SpooledRenditions, any Error>?>(nil)
      let fetcher = ScriptedFetcher { path, _, _ in
        if fetched.withLock({
          $0 += 1; return $0 > stop
        }) {
          running.withLock { $0?.cancel() }
          try await Task.sleep(for: .seconds(100))
        }
        return SampleSegments.stream(path)
      }
      let first = try SegmentTransfer(
        fetcher: fetcher, folder: folder.url, requestCount: 4, waiting: impatient)
      let task = Task { try await first.run([.init(name: "video", playlist: playlist)]) }
      running.withLock { $0 = task }
      if fetched.withLock({ $0 > stop }) { task.cancel() }
      await #expect(throws: CancellationError.self) { try await task.value }
      let kept = try Data(contentsOf: folder.url.appendingPathComponent("1.spool")).count / 1880
      // What a dying process may leave behind: bytes that no row speaks of.
      let handle = try FileHandle(forWritingTo: folder.url.appendingPathComponent("1.spool"))
      try handle.seekToEnd()
      try handle.write(contentsOf: Data("half a segment".utf8))
      try handle.close()
      let again = ScriptedFetcher { path, _, _ in SampleSegments.stream(path) }
      let second = try SegmentTransfer(fetcher: again, folder: folder.url, waiting: impatient)
      let result = try await second.run([.init(name: "video", playlist: playlist)])
      #expect(try bytes(result.spools[0]) == straight("v", 0..<40))
      #expect(again.requests.count == 40 - kept)
    }
  }

  @Test func `a playlist that changed between runs is never mixed with what was there`()
    async throws
  {
    let fetcher = ScriptedFetcher { path, _, _ in SampleSegments.stream(path) }
    let rows: [(MediaPlaylist, expected: [UInt8], requests: Int)] = [
      (try SampleSegments.playlist("v", 20), straight("v", 0..<20), 20),
      (try SampleSegments.playlist("v", 20), straight("v", 0..<20), 0),
      (try SampleSegments.playlist("v", 25), straight("v", 0..<25), 5),
      (try SampleSegments.playlist("v", 10, first: 10), straight("v", 10..<20), 10),
      (try SampleSegments.playlist("w", 10, first: 10), straight("w", 10..<20), 10),
    ]
    for (playlist, expected, requests) in rows {
      let before = fetcher.requests.count
      let result = try await transfer(fetcher).run([.init(name: "video", playlist: playlist)])
      #expect(try bytes(result.spools[0]) == expected)
      #expect(fetcher.requests.count - before == requests)
    }
  }

  @Test func `bytes that are no whole segment are asked for again, then named`() async throws {
    let good = SampleSegments.stream("x")
    let rows: [(String, [UInt8], String)] = [
      ("cut", Array(good.dropLast(100)), "middle of a packet"),
      ("page", Array("<!DOCTYPE html><title>Forbidden</title>".utf8), "text instead of media"),
      ("json", Array(#"{"error":"expired"}"#.utf8), "text instead of media"),
      ("empty", [], "nothing"),
      ("box", [0, 0, 1, 0] + Array("moof".utf8) + [1, 2], "the box “moof”"),
      ("noise", [0x89, 0x50, 0x4E, 0x47, 0, 0, 0, 1, 2], "no media segment"),
    ]
    for (name, bad, words) in rows {
      for times in [1, 99] {
        let folder = try TemporaryFolder()
        let fetcher = ScriptedFetcher { _, _, n in n <= times ? bad : good }
        let transfer = try SegmentTransfer(
          fetcher: fetcher, folder: folder.url, waiting: impatient)
        let error = await failure {
          _ = try await transfer.run([.init(name: "v", playlist: SampleSegments.playlist("v", 1))])
        }
        #expect((error == nil) == (times == 1), "\(name)")
        if times == 99 {
          #expect(
            error?.code == .integrity && error?.message.contains(words) == true,
            "\(name): \(String(describing: error))")
          #expect(fetcher.requests.count == 3)
        }
      }
    }
  }

  @Test func `a picture in front of a transport stream is left out`() async throws {
    let fetcher = ScriptedFetcher { path, _, _ in
      [0x89, 0x50, 0x47, 0x47, 0] + [UInt8](repeating: 7, count: 900) + SampleSegments.stream(path)
    }
    let result = try await transfer(fetcher).run([
      .init(name: "v", playlist: SampleSegments.playlist("v", 3))
    ])
    #expect(try bytes(result.spools[0]) == straight("v", 0..<3))
  }

  @Test func `neighbouring byte ranges come in few requests and resume inside them`() async throws {
    let whole = (0..<100).flatMap { SampleSegments.stream("\($0)", packets: 200) }
    let size = 200 * 188
    var text = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n"
    for index in 0..<100 {
      text += "#EXTINF:2,\n#EXT-X-BYTERANGE:\(size)\(index == 0 ? "@0" : "")\nall.ts\n"
    }
    let playlist = try SampleSegments.parse(text + "#EXT-X-ENDLIST")
    let fetcher = ScriptedFetcher { _, range, _ in
      guard let range else { return whole }
      return Array(whole[Int(range.lowerBound)..<Int(range.upperBound)])
    }
    let result = try await transfer(fetcher).run([.init(name: "v", playlist: playlist)])
    #expect(try bytes(result.spools[0]) == whole)
    #expect(result.spools[0].segments.count == 100)
    #expect(fetcher.requests.count < 10)
  }

  @Test func `spools that are filled are held until they are let go`() async throws {
    let fetcher = ScriptedFetcher { path, _, _ in SampleSegments.stream(path) }
    let request = RenditionRequest(name: "v", playlist: try SampleSegments.playlist("v", 3))
    let first = try transfer(fetcher)
    let spooled = try await first.open([request])
    try await first.fill()
    #expect(spooled.spools[0].table.isWhole)
    let second = try transfer(fetcher)
    #expect(await failure { _ = try await second.run([request]) }?.code == .locked)
    await first.close()
    _ = try await second.run([request])
    #expect(fetcher.requests.count == 3)
  }

  @Test func `a declared gap is never requested`() async throws {
    let fetcher = ScriptedFetcher { path, _, _ in SampleSegments.stream(path) }
    let playlist = try SampleSegments.playlist("v", 4, tags: [2: "#EXT-X-GAP"])
    let error = await failure {
      _ = try await transfer(fetcher).run([.init(name: "v", playlist: playlist)])
    }
    #expect(error?.code == .integrity && error?.message.contains("segment 3 of 4") == true)
    #expect(fetcher.requests.isEmpty)
    let result = try await transfer(fetcher, allowsGaps: true).run([
      .init(name: "v", playlist: playlist)
    ])
    #expect(result.gaps.map(\.mediaSequence) == [2])
    #expect(result.spools[0].segments.map(\.mediaSequence) == [0, 1, 3])
    #expect(!fetcher.requests.contains("/film/v2.ts"))
  }

  @Test func `a second transfer in the same folder is refused`() async throws {
    let (started, start) = AsyncStream.makeStream(of: Void.self)
    let fetcher = ScriptedFetcher { path, _, _ in
      start.yield()
      try await Task.sleep(for: .seconds(100))
      return []
    }
    let playlist = try SampleSegments.playlist("v", 4)
    let first = try transfer(fetcher)
    let task = Task { try await first.run([.init(name: "v", playlist: playlist)]) }
    for await _ in started { break }
    let error = await failure {
      _ = try await transfer(fetcher).run([.init(name: "v", playlist: playlist)])
    }
    #expect(error?.code == .locked)
    task.cancel()
    _ = await task.result
  }
}
