import Foundation
import SiloDownloads
import SiloMedia
import SiloSystem
import SiloTestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct SegmentFetcherTests {
  private let server: FaultServer
  private let fetcher: SegmentFetcher
  private let bytes = SampleSegments.stream("x", packets: 50)

  init() throws {
    server = try FaultServer()
    var options = HTTPOptions()
    options.attempts = 3
    fetcher = SegmentFetcher(
      HTTPClient(options, waiting: Waiting(now: Waiting.system.now, sleep: { _ in })))
  }

  private func fetch(_ path: String, _ range: Range<Int64>? = nil) async throws -> [UInt8] {
    try await fetcher.fetch(
      #require(URL(string: server.url(path))), range: range, purpose: .media)
  }

  @Test func `a range comes out of any server, and never more than it`() async throws {
    let bytes = bytes
    let rows: [(String, FaultServer.Script)] = [
      ("sound", { _, _ in .bytes(bytes) }),
      ("ignores ranges", { _, _ in .bytes(bytes).ignoringRange() }),
      ("cut once", { _, n in n == 1 ? .bytes(bytes).cut(after: 10) : .bytes(bytes) }),
    ]
    for (name, script) in rows {
      server.on("/a.ts", script)
      #expect(try await fetch("/a.ts", 188..<564) == Array(bytes[188..<564]), "\(name)")
      #expect(try await fetch("/a.ts") == bytes, "\(name)")
      server.forgetRequests()
    }
  }

  @Test func `a body that always ends early is a fault of the source`() async throws {
    let bytes = bytes
    server.on("/a.ts") { _, _ in .bytes(bytes).cut(after: 1000) }
    let error = await #expect(throws: DownloadError.self) { _ = try await fetch("/a.ts") }
    #expect(error?.code == .integrity && error?.message.contains("1000 of 9400") == true)
    #expect(server.requests.count == 3)
  }

  @Test func `what is here already is not asked for, and only once believed`() async throws {
    let bytes = bytes
    server.on("/a.ts") { _, _ in .bytes(bytes) }
    let url = try #require(URL(string: server.url("/a.ts")))
    let fetched = FetchedSegments()
    fetched.keep([1, 2, 3], of: url, range: nil)
    fetched.keep([UInt8](repeating: 0, count: FetchedSegments.limit), of: url, range: 0..<1)
    let fetcher = SegmentFetcher(HTTPClient(HTTPOptions()), fetched: fetched)
    #expect(try await fetcher.fetch(url, range: nil, purpose: .media) == [1, 2, 3])
    #expect(server.requests.isEmpty)
    #expect(try await fetcher.fetch(url, range: nil, purpose: .media) == bytes)
    #expect(try await fetcher.fetch(url, range: 0..<1, purpose: .media) == [bytes[0]])
    #expect(server.requests.count == 2)
  }

  @Test func `segments beside a local playlist are read from the disk`() async throws {
    let folder = try TemporaryFolder()
    let url = URL(fileURLWithPath: try folder.write("a b.ts", bytes))
    #expect(try await fetcher.fetch(url, range: nil, purpose: .media) == bytes)
    #expect(
      try await fetcher.fetch(url, range: 188..<376, purpose: .media) == Array(bytes[188..<376]))
    let missing = folder.url.appendingPathComponent("none.ts")
    let error = await #expect(throws: DownloadError.self) {
      _ = try await fetcher.fetch(missing, range: nil, purpose: .media)
    }
    #expect(error?.code == .notFound)
  }
}
