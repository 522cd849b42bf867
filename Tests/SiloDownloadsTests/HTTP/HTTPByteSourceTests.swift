import Foundation
import SiloDownloads
import SiloMedia
import SiloSystem
import SiloTestSupport
import Synchronization
import Testing

@Suite("HTTP byte source")
struct HTTPByteSourceTests {
  private static let fileByteCount = 3_000_000
  private static let opening = Int(MediaSource.openingByteCount)

  private func read(_ source: HTTPByteSource, _ offset: Int64, _ count: Int) async throws
    -> [UInt8]
  {
    try await onOwnThread { _ in
      var bytes = [UInt8](repeating: 0, count: count)
      var done = 0
      while done < count {
        var span = bytes.mutableSpan
        var rest = span.mutableBytes
        var part = rest._mutatingExtracting(done..<count)
        let read = try source.read(at: offset + Int64(done), into: &part)
        if read == 0 { break }
        done += read
      }
      return Array(bytes[..<done])
    }
  }

  @Test("opening costs one request and tells length, type and first bytes")
  func opening() async throws {
    let file = patternBytes(Self.fileByteCount)
    let server = try WireServer {
      $0.target == "/film" ? .redirect("/real") : .file(file, $0)
    }
    let source = try await HTTPByteSource.open(
      server.url("/film"), with: HTTPClient(HTTPOptions()))
    #expect(source.byteCount == Int64(file.count))
    #expect(source.supportsRanges)
    #expect(source.openingBytes == Array(file[..<Self.opening]))
    #expect(source.requestCount == 1)
    // Later requests go to where the redirect led.
    #expect(try await read(source, 1_000_000, 10) == Array(file[1_000_000..<1_000_010]))
    #expect(server.requests.map(\.target) == ["/film", "/real", "/real"])
    #expect(server.requests.allSatisfy { $0.headers["accept-encoding"] == "identity" })
  }

  @Test("whatever is read, in whatever order, are the bytes of the file")
  func anyOrder() async throws {
    let file = patternBytes(Self.fileByteCount)
    let server = try WireServer { .file(file, $0) }
    let source = try await HTTPByteSource.open(server.url("/"), with: HTTPClient(HTTPOptions()))
    let rows: [(offset: Int, count: Int)] = [
      (0, 100), (Self.opening - 6, 20), (2_999_990, 100), (1_500_000, 70_000), (1_400_000, 200_000),
      (Self.opening, 500_000), (0, 3_000_000), (3_000_000, 1), (5_000_000, 1),
    ]
    for row in rows {
      let end = min(row.offset + row.count, file.count)
      let expected = row.offset < end ? Array(file[row.offset..<end]) : []
      #expect(try await read(source, Int64(row.offset), row.count) == expected, "\(row)")
    }
    // Nothing is fetched twice.
    #expect(source.receivedByteCount == Int64(file.count))
  }

  @Test("reading in sequence asks for more each time")
  func sequence() async throws {
    let file = patternBytes(Self.fileByteCount)
    let server = try WireServer { .file(file, $0) }
    let source = try await HTTPByteSource.open(server.url("/"), with: HTTPClient(HTTPOptions()))
    for offset in stride(from: 0, to: file.count, by: 32_768) {
      let count = min(32_768, file.count - offset)
      let expected = Array(file[offset..<(offset + count)])
      #expect(try await read(source, Int64(offset), count) == expected)
    }
    #expect(server.requests.count <= 7)
  }

  @Test("an index at the end costs its bytes, the opening and a little, in three requests")
  func tailIndex() async throws {
    let file = patternBytes(Self.fileByteCount)
    let server = try WireServer { .file(file, $0) }
    let source = try await HTTPByteSource.open(server.url("/"), with: HTTPClient(HTTPOptions()))
    let index: Range<Int64> = 2_000_000..<2_900_000
    _ = try await read(source, 0, 48)
    _ = try await read(source, index.lowerBound, 16)
    source.willRead(index)
    for offset in stride(from: index.lowerBound, to: index.upperBound, by: 100_000) {
      _ = try await read(source, offset, 100_000)
    }
    #expect(source.requestCount == 3)
    #expect(source.receivedByteCount <= Int64(index.count) + 512 << 10)
  }

  @Test("a server without ranges gives the opening only, and is left there")
  func noRanges() async throws {
    let file = patternBytes(Self.fileByteCount)
    let server = try WireServer { _ in WireServer.Answer(body: file) }
    let source = try await HTTPByteSource.open(server.url("/"), with: HTTPClient(HTTPOptions()))
    #expect(!source.supportsRanges)
    #expect(!source.isWhole)
    #expect(source.byteCount == Int64(file.count))
    #expect(source.openingBytes == Array(file[..<Self.opening]))
    #expect(source.receivedByteCount < 1_000_000)
    let error = try await downloadError { _ = try await read(source, 2_000_000, 10) }
    #expect(error.code == .unavailable)
  }

  @Test(
    "a small or empty file is whole with the opening", arguments: [0, 1, 5000, 65_536, 393_216])
  func small(_ count: Int) async throws {
    let file = patternBytes(count)
    let ranged = try WireServer { .file(file, $0) }
    let plain = try WireServer { _ in WireServer.Answer(body: file) }
    for server in [ranged, plain] {
      let source = try await HTTPByteSource.open(server.url("/"), with: HTTPClient(HTTPOptions()))
      #expect(source.byteCount == Int64(count))
      #expect(source.isWhole)
      #expect(try await read(source, 0, count + 10) == file)
    }
  }

  @Test("a file that changes while it is read is noticed before a byte of it is used")
  func changes() async throws {
    let rows: [@Sendable (WireServer.Request) -> WireServer.Answer] = [
      { .file(patternBytes(900_000), $0, tag: "\"\($0.index)\"") },
      { .file(patternBytes(900_000 + $0.index), $0) },
    ]
    for script in rows {
      let server = try WireServer(script)
      let source = try await HTTPByteSource.open(server.url("/"), with: HTTPClient(HTTPOptions()))
      let error = try await downloadError { _ = try await read(source, 600_000, 10) }
      #expect(error.code == .integrity)
    }
  }

  @Test("an answer with another part than was asked for is refused")
  func wrongPart() async throws {
    let file = patternBytes(900_000)
    let server = try WireServer { request in
      var shifted = request
      if request.index > 0 { shifted.headers["range"] = "bytes=100-200" }
      return .file(file, shifted)
    }
    let source = try await HTTPByteSource.open(server.url("/"), with: HTTPClient(HTTPOptions()))
    let error = try await downloadError { _ = try await read(source, 600_000, 10) }
    #expect(error.code == .integrity)
  }

  @Test("headers for the first origin stay there when a redirect leads elsewhere")
  func headers() async throws {
    let file = patternBytes(900_000)
    let foreign = try WireServer { .file(file, $0) }
    let home = try WireServer { _ in .redirect(foreign.url("/x").absoluteString) }
    let source = try await HTTPByteSource.open(
      home.url("/"), with: HTTPClient(HTTPOptions()), headers: [HTTPHeader("X-Own", "1")])
    _ = try await read(source, 600_000, 10)
    #expect(home.requests.map { $0.headers["x-own"] } == ["1"])
    #expect(foreign.requests.map { $0.headers["x-own"] } == [nil, nil])
  }

  @Test("an expired address behind a redirect is asked for again at the first one")
  func expiry() async throws {
    let file = patternBytes(900_000)
    let server = try WireServer { request in
      switch request.target {
      case "/first": .redirect(request.index == 0 ? "/signed?1" : "/signed?2")
      case "/signed?1" where request.index > 1: WireServer.Answer(status: 403)
      default: .file(file, request)
      }
    }
    let source = try await HTTPByteSource.open(
      server.url("/first"), with: HTTPClient(HTTPOptions()))
    #expect(try await read(source, 600_000, 3) == Array(file[600_000..<600_003]))
  }

  @Test("a read that waits ends when it is cancelled", .timeLimit(.minutes(5)))
  func cancellation() async throws {
    let file = patternBytes(900_000)
    let asked = AsyncStream<Void>.makeStream()
    let server = try WireServer { request in
      var answer = WireServer.Answer.file(file, request)
      if request.index > 0 {
        answer.stalls = true
        answer.cutAfter = 10
        asked.continuation.yield()
      }
      return answer
    }
    let source = try await HTTPByteSource.open(server.url("/"), with: HTTPClient(HTTPOptions()))
    let reading = Task { try await read(source, 600_000, 100) }
    for await _ in asked.stream { break }
    source.cancel()
    await #expect(throws: CancellationError.self) { _ = try await reading.value }
  }

  @Test("the inventory of a film costs few requests and few bytes", arguments: Film.allCases)
  func inventory(_ film: Film) async throws {
    let file = [UInt8](try Data(contentsOf: URL(fileURLWithPath: try await film.path())))
    let server = try WireServer { .file(file, $0) }
    let source = try await HTTPByteSource.open(
      server.url("/film"), with: HTTPClient(HTTPOptions()))
    let inventory = try await MediaInventory.probe(MediaSource(name: "film", bytes: source))
    #expect(inventory.audio.count == 6)
    #expect(source.requestCount <= 4)
    #expect(source.receivedByteCount <= 1 << 20)
    #expect(source.receivedByteCount < Int64(file.count))
  }
}
