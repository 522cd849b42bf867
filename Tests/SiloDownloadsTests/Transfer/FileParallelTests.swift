import Foundation
import SiloDownloads
import SiloSystem
import SiloTestSupport
import Synchronization
import Testing

/// One file by several connections.
@Suite(.timeLimit(.minutes(5))) struct FileParallelTests {
  private let folder: TemporaryFolder
  private let server: FaultServer
  private static let one = film(1)
  private static let two = film(2)
  private static let pace = TransferPace(
    window: .milliseconds(40), patience: .milliseconds(400))

  init() throws {
    folder = try TemporaryFolder()
    server = try FaultServer()
    server.serve(Self.one, at: "/film.mkv")
  }

  /// 12 MiB that look like no text, different for each seed and in each KiB.
  private static func film(_ seed: UInt8) -> [UInt8] {
    let pattern = (0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ $0 >> 8) ^ seed | 0x80 }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(12 << 20 + 77)
    for block in 0..<(12 << 8) {
      bytes += [0x80 | seed, UInt8(block & 0xFF), UInt8(block >> 8)] + pattern.dropFirst(3)
    }
    return bytes + [UInt8](repeating: seed, count: 77)
  }

  private func transfer(
    _ most: Int = 8, attempts: Int = 1, change: (inout HTTPOptions) -> Void = { _ in }
  ) throws -> FileTransfer {
    var options = HTTPOptions()
    options.attempts = attempts
    options.connectionsPerFile = most
    change(&options)
    return FileTransfer(
      client: HTTPClient(options), url: try #require(URL(string: server.url("/film.mkv"))),
      partial: folder.url.appendingPathComponent("film.mkv.part"), pace: Self.pace)
  }

  /// Fetches, compares, and returns how many bytes came.
  @discardableResult
  private func finish(_ transfer: FileTransfer, _ expected: [UInt8] = one) async throws -> Int64 {
    let told = Mutex<[Int64]>([])
    let file = try await transfer.run { done, _ in told.withLock { $0.append(done) } }
    let counts = told.withLock { $0 }
    #expect(counts == counts.sorted())
    #expect(file.byteCount == Int64(expected.count))
    #expect(file.sha256 == (try Digest.hex(of: expected)))
    try file.commit(to: folder.url.appendingPathComponent("film.mkv"))
    #expect(try folder.read("film.mkv") == expected)
    #expect(try folder.names() == ["film.mkv"])
    return file.receivedByteCount
  }

  /// A twentieth more than the file.
  private static let most = Int64(one.count) * 105 / 100

  /// The answer to a first connection, which goes on when a second one was tried.
  private static func joined(_ answer: FaultAnswer) -> FaultAnswer {
    answer.holding(after: 2 << 20, untilRequests: 2)
  }

  /// A server that lets each connection have about 12 MiB a second.
  private static func slow(_ answer: FaultAnswer = .served) -> FaultAnswer {
    answer.dripping(128 << 10, every: .milliseconds(10))
  }

  @Test func `connections are added while they help, and no byte comes twice`() async throws {
    server.on("/film.mkv") { _, n in
      // So little that the processor is not what limits it, under the thread sanitizer neither.
      let answer = FaultAnswer.served.dripping(4 << 10, every: .milliseconds(10))
      return n == 1 ? answer.holding(after: 2 << 20, untilRequests: 2) : answer
    }
    let received = try await finish(try transfer())
    #expect(server.mostConnections > 3)
    #expect(received <= Self.most)
    let more = server.requests.dropFirst()
    #expect(more.allSatisfy { $0.status == 206 && $0.header("If-Range") != nil })
  }

  @Test func `one connection is all that -c 1 uses`() async throws {
    server.on("/film.mkv") { _, _ in Self.slow() }
    try await finish(try transfer(1))
    #expect(server.requests.count == 1)
  }

  @Test func `what tells no version, or takes no ranges, is fetched by one connection`()
    async throws
  {
    let rows: [(String, FaultServer.Script)] = [
      ("no validators", { _, _ in Self.slow().withoutValidators() }),
      ("weak tag", { _, _ in Self.slow().withoutValidators().etag("W/a") }),
      (
        "young date",
        { _, _ in
          Self.slow().withoutValidators().header("Last-Modified", "Mon, 01 Jan 2024 00:00:00 GMT")
            .header("Date", "Mon, 01 Jan 2024 00:00:01 GMT")
        }
      ),
      ("no ranges", { _, _ in Self.slow().header("Accept-Ranges", "none") }),
      ("no length", { _, _ in Self.slow().chunked() }),
    ]
    for (name, script) in rows {
      server.on("/film.mkv", script)
      try await finish(try transfer())
      #expect(server.requests.count == 1, "\(name)")
      server.forgetRequests()
      try FileManager.default.removeItem(at: folder.url.appendingPathComponent("film.mkv"))
    }
  }

  @Test func `a server that wants no more connections is left with those it took`() async throws {
    let rows: [(String, @Sendable (FaultAnswer) -> FaultAnswer)] = [
      ("200", { $0.ignoringRange() }), ("403", { _ in .status(403) }),
      ("429", { _ in .status(429, retryAfter: "100") }), ("503", { _ in .status(503) }),
      ("hangs up", { _ in .hangUp }), ("wrong start", { $0.shiftingRange(by: 5) }),
      ("no validators", { $0.withoutValidators() }), ("cut", { $0.cut(after: 100) }),
    ]
    for (name, answer) in rows {
      server.on("/film.mkv") { _, n in n == 1 ? Self.joined(Self.slow()) : answer(Self.slow()) }
      // One attempt is all there is: none was spent on the others.
      let received = try await finish(try transfer(attempts: 1))
      #expect(server.requests.count < 6, "\(name): \(server.requests.count)")
      #expect(received <= Self.most, "\(name)")
      server.forgetRequests()
      try FileManager.default.removeItem(at: folder.url.appendingPathComponent("film.mkv"))
    }
  }

  @Test func `what stalls is brought by another connection`() async throws {
    server.on("/film.mkv") { _, n in
      let answer = FaultAnswer.served.dripping(32 << 10, every: .milliseconds(10))
      return switch n {
      case 1: Self.joined(answer)
      case 3: answer.stalling(after: 64 << 10)
      default: answer
      }
    }
    let received = try await finish(try transfer())
    #expect(received <= Self.most)
    #expect(server.requests.count > 3)
  }

  @Test func `the rest of a slow connection is shared among those that are done`() async throws {
    server.on("/film.mkv") { _, n in
      n == 2 ? .served.dripping(8 << 10, every: .milliseconds(20)) : Self.slow()
    }
    let start = ContinuousClock.now
    // Alone, it would need more than 2.5 s for its first piece only.
    let received = try await finish(try transfer())
    #expect(received <= Self.most)
    #expect(ContinuousClock.now - start < .seconds(60))
  }

  @Test func `a source that is replaced between two ranges is never mixed`() async throws {
    let rows: [(String, @Sendable (FaultAnswer) -> FaultAnswer)] = [
      ("honours If-Range", { $0 }), ("ignores If-Range", { $0.ignoringIfRange() }),
      ("ignores If-Range, date only", { $0.ignoringIfRange().withoutValidators() }),
    ]
    for (name, answer) in rows {
      let isDated = name.hasSuffix("only")
      @Sendable func version(_ bytes: [UInt8], _ number: Int) -> FaultAnswer {
        let plain = answer(.bytes(bytes))
        return isDated
          ? plain.header("Last-Modified", "Mon, 0\(number) Jan 2024 00:00:00 GMT")
          : plain.etag("v\(number)")
      }
      // The first three requests are those of the old version.
      server.on("/film.mkv") { _, n in
        let old = Self.slow(version(Self.one, 1))
        return n == 1 ? Self.joined(old) : n <= 3 ? old : Self.slow(version(Self.two, 2))
      }
      try await finish(try transfer(attempts: 3), Self.two)
      server.forgetRequests()
      try FileManager.default.removeItem(at: folder.url.appendingPathComponent("film.mkv"))
    }
  }

  @Test func `a mirror with another tag for every request costs one new start`() async throws {
    for ignores in [true, false] {
      server.on("/film.mkv") { _, n in
        let answer = FaultAnswer.bytes(Self.one).withoutValidators().etag("n\(n)")
        let slow = Self.slow(ignores ? answer.ignoringIfRange() : answer)
        return n == 1 ? Self.joined(slow) : slow
      }
      try await finish(try transfer())
      let whole = server.requests.filter { $0.header("Range") == nil }
      #expect(whole.count == 2, "\(whole.count)")
      #expect(server.requests.count <= 6)
      server.forgetRequests()
      try FileManager.default.removeItem(at: folder.url.appendingPathComponent("film.mkv"))
    }
  }

  @Test
  func `a server that goes away for a moment is not taken for one that wants few connections`()
    async throws
  {
    server.on("/film.mkv") { _, n in
      switch n {
      case 1: .served.dripping(16 << 10, every: .milliseconds(10)).cut(after: 2 << 20)
      case 2...4: Self.slow().cut(after: 256 << 10)
      case 5...8: .hangUp
      case 9: Self.slow().holding(after: 1 << 20, untilRequests: 10)
      default: Self.slow()
      }
    }
    let received = try await finish(try transfer(attempts: 10))
    #expect(server.requests.count > 9)
    #expect(received <= Self.most)
  }

  @Test func `an interrupted transfer continues every piece`() async throws {
    // No connection is brought more than this, so that no run comes to the end.
    let share: Int64 = 512 << 10
    server.on("/film.mkv") { _, _ in .served.stalling(after: share) }
    var reached: Int64 = 0
    for _ in 0..<5 {
      let transfer = try transfer()
      let before = reached
      let (told, reports) = AsyncStream.makeStream(of: Int64.self)
      let task = Task {
        defer { reports.finish() }
        return try await transfer.run { done, _ in reports.yield(done) }
      }
      var first: Int64?
      // More than one connection brings, and less than two.
      for await done in told {
        first = first ?? done
        if done >= reached + share + share / 2 {
          reached = done
          break
        }
      }
      task.cancel()
      guard case .failure = await task.result else { break }
      #expect((first ?? 0) >= before)
    }
    server.on("/film.mkv") { _, _ in .served }
    let received = try await finish(try transfer())
    #expect(received <= Int64(Self.one.count) - reached + 256 << 10, "\(received)")
  }
}
