import Foundation
import SiloDownloads
import SiloSystem
import SiloTestSupport
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5))) struct FileTransferTests {
  private let folder: TemporaryFolder
  private let server: FaultServer
  private let client: HTTPClient
  private let one = FileTransferTests.first
  private let two = FileTransferTests.second
  private static let first = film(1)
  private static let second = film(2)
  private static let mib = 1 << 20

  init() throws {
    folder = try TemporaryFolder()
    server = try FaultServer()
    var options = HTTPOptions()
    options.attempts = 3
    client = HTTPClient(options, waiting: Waiting(now: Waiting.system.now, sleep: { _ in }))
  }

  /// 10 MiB that look like no text, different for each seed.
  private static func film(_ seed: UInt64) -> [UInt8] {
    var state = seed
    var bytes = [UInt8](repeating: 0, count: 10 * mib + 321)
    for index in bytes.indices {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      bytes[index] = UInt8(truncatingIfNeeded: state >> 56) | (index < 8 ? 0x80 : 0)
    }
    return bytes
  }

  private func transfer() throws -> FileTransfer {
    FileTransfer(
      client: client, url: try #require(URL(string: server.url("/film.mkv?token=secret"))),
      partial: folder.url.appendingPathComponent("film.mkv.part"))
  }

  /// Fetches until `count` bytes are there, then goes away as a cancelled task does.
  private func interrupt(after count: Int) async throws {
    let transfer = try transfer()
    server.on("/film.mkv") { _, _ in .served.stalling(after: Int64(count)) }
    let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      try await transfer.run { done, _ in
        if done > Int64(count) - 512 << 10 { arrived.yield() }
      }
    }
    for await _ in arrivals { break }
    task.cancel()
    let result = await task.result
    #expect(throws: CancellationError.self) { try result.get() }
    server.forgetRequests()
  }

  private func finish(_ expected: [UInt8]) async throws {
    let file = try await transfer().run()
    #expect(file.byteCount == Int64(expected.count))
    #expect(file.sha256 == (try Digest.hex(of: expected)))
    try file.commit(to: folder.url.appendingPathComponent("film.mkv"))
    #expect(try folder.read("film.mkv") == expected)
    #expect(try folder.names() == ["film.mkv"])
  }

  @Test func `a straight transfer leaves the file and nothing else`() async throws {
    server.serve(one, at: "/film.mkv")
    try await finish(one)
    #expect(server.requests(for: "/film.mkv").map { $0.header("Range") } == [nil])
  }

  @Test func `an interrupted transfer continues with a range and the validator`() async throws {
    server.serve(one, at: "/film.mkv")
    try await interrupt(after: 6 * Self.mib)
    server.on("/film.mkv") { _, _ in .served }
    try await finish(one)
    let request = try #require(server.requests(for: "/film.mkv").first)
    let first = try #require(Int(request.header("Range")?.dropFirst(6).dropLast() ?? ""))
    #expect(first > 5 * Self.mib && request.header("If-Range")?.isEmpty == false)
    #expect(server.requests(for: "/film.mkv").count == 1)
  }

  @Test func `two versions of a source are never joined`() async throws {
    let rows: [(String, FaultServer.Script)] = [
      ("honours If-Range", { _, _ in .served }),
      ("ignores If-Range", { _, _ in .served.ignoringIfRange() }),
      ("ignores ranges", { _, _ in .served.ignoringRange() }),
      ("has no validators", { _, _ in .served.withoutValidators() }),
      ("shifts the range once", { _, n in n == 1 ? .served.shiftingRange(by: 5) : .served }),
    ]
    for (name, script) in rows {
      server.serve(one, at: "/film.mkv")
      try await interrupt(after: 6 * Self.mib)
      server.serve(two, at: "/film.mkv")
      server.on("/film.mkv", script)
      try await finish(two)
      #expect(server.requests(for: "/film.mkv").count <= 2, "\(name)")
      try FileManager.default.removeItem(at: folder.url.appendingPathComponent("film.mkv"))
    }
  }

  @Test func `without validators the last MiB is compared before the rest is taken`() async throws {
    server.serve(one, at: "/film.mkv")
    let plain: FaultServer.Script = { _, n in
      n == 1 ? .served.withoutValidators().cut(after: 6 << 20) : .served.withoutValidators()
    }
    server.on("/film.mkv", plain)
    try await finish(one)
    let ranges = server.requests(for: "/film.mkv").map { $0.header("Range") }
    #expect(ranges == [nil, "bytes=\(5 << 20)-"])
  }

  @Test func `a whole partial file asks for its last byte only`() async throws {
    server.serve(one, at: "/film.mkv")
    _ = try await transfer().run()
    server.forgetRequests()
    try await finish(one)
    #expect(server.requests(for: "/film.mkv").map(\.bytesSent) == [1])
  }

  @Test func `what is no media, or no whole file, is refused`() async throws {
    let film = one
    let rows: [(String, DownloadError.Code, FaultServer.Script)] = [
      ("page", .unsupported, { _, _ in .text("<!DOCTYPE html><p>Sign in", type: "video/mp4") }),
      ("json", .unsupported, { _, _ in .json(#"{"error":"gone"}"#) }),
      ("empty", .unsupported, { _, _ in .bytes([]) }),
      ("404", .notFound, { _, _ in .status(404) }),
      ("always cut", .temporary, { _, _ in .bytes(film).cut(after: 1000) }),
      (
        "a new version each time", .integrity,
        { _, n in
          .bytes(film).etag("v\(n)").ignoringIfRange().cut(after: 3 << 20)
        }
      ),
    ]
    for (name, code, script) in rows {
      server.on("/film.mkv", script)
      let error = await #expect(throws: DownloadError.self) { _ = try await transfer().run() }
      #expect(error?.code == code, "\(name): \(String(describing: error))")
      #expect(error?.description.contains("secret") == false)
      server.forgetRequests()
    }
  }

  @Test func `digests that an answer makes wanted are computed over all bytes`() async throws {
    server.serve(one, at: "/film.mkv")
    try await interrupt(after: 6 * Self.mib)
    let wanted = Mutex<[Int]>([])
    server.on("/film.mkv") { _, _ in .served }
    let file = try await FileTransfer(
      client: client,
      request: HTTPRequest(
        try #require(URL(string: server.url("/film.mkv?token=secret"))), purpose: .media),
      partial: folder.url.appendingPathComponent("film.mkv.part"),
      digests: { head in
        wanted.withLock { $0.append(head.status) }
        return [.md5, .sha1]
      }
    ).run()
    #expect(wanted.withLock { $0 } == [206])
    for algorithm in [Digest.Algorithm.md5, .sha1, .sha256] {
      #expect(file.digests[algorithm] == (try Digest.hex(of: one, algorithm)))
    }
    #expect(file.digests.count == 3)
  }

  @Test func `a second transfer into the same partial file is refused`() async throws {
    server.serve(one, at: "/film.mkv")
    let held = try await transfer().run()
    let error = await #expect(throws: DownloadError.self) { _ = try await transfer().run() }
    #expect(error?.code == .locked)
    held.discard()
    #expect(try folder.names().isEmpty)
  }
}
