import Foundation
import SiloDownloads
import SiloSystem
import SiloTestSupport
import Synchronization
import Testing

@Suite("HTTP client")
struct HTTPClientTests {
  @Test("a document is fetched with its final address and its fields")
  func document() async throws {
    let server = try WireServer {
      $0.target == "/a" ? .redirect("/b/c?x=1") : .ok("hello", ["X-Thing": "1"])
    }
    let document = try await HTTPClient(HTTPOptions()).fetch(
      HTTPRequest(server.url("/a"), purpose: .document))
    #expect(document.body == Array("hello".utf8))
    #expect(document.head.url == server.url("/b/c?x=1"))
    #expect(document.head["x-thing"] == "1")
    #expect(server.requests.map { $0.headers["accept-encoding"] } == ["gzip", "gzip"])
    #expect(server.requests.allSatisfy { $0.headers["user-agent"] == "silo-fetch" })
  }

  @Test("a compressed document is decoded, and the limit is on what comes out")
  func compressed() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a", [UInt8](repeating: 97, count: 100_000))
    let zipped = try await runSuccessfully("gzip", ["-9", "-c", path]).output
    let server = try WireServer { _ in
      WireServer.Answer(headers: ["Content-Encoding": "gzip"], body: zipped)
    }
    let client = HTTPClient(HTTPOptions())
    let request = HTTPRequest(server.url("/list.m3u8"), purpose: .document)
    #expect(try await client.fetch(request).body == [UInt8](repeating: 97, count: 100_000))
    let error = try await downloadError { _ = try await client.fetch(request, limit: 50_000) }
    #expect(error.code == .unsupported)
  }

  @Test("media that comes compressed is asked for once more and then refused")
  func compressedMedia() async throws {
    let server = try WireServer { _ in .ok("xx", ["Content-Encoding": "gzip"]) }
    let client = HTTPClient(HTTPOptions(), waiting: Pauses().waiting)
    let sink = GatheringSink()
    let error = try await downloadError {
      _ = try await client.stream(HTTPRequest(server.url("/v.mp4"), purpose: .media), into: sink)
    }
    #expect(error.code == .integrity)
    #expect(server.requests.map { $0.headers["accept-encoding"] } == ["identity", "identity"])
    #expect(sink.statuses.isEmpty)
  }

  @Test("sixteen requests at once use sixteen connections, and use them again")
  func connections() async throws {
    let body = patternBytes(200_000)
    let server = try WireServer { _ in WireServer.Answer(body: body) }
    let client = HTTPClient(HTTPOptions())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<16 {
        group.addTask {
          for piece in 0..<10 {
            let sink = GatheringSink()
            let url = server.url("/\(worker)/\(piece)")
            _ = try await client.stream(HTTPRequest(url, purpose: .media), into: sink)
            #expect(sink.bytes == body)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(server.requests.count == 160)
    #expect(server.connectionCount <= 16)
  }

  @Test("what a sink throws passes unchanged and ends the request")
  func refusal() async throws {
    struct Refused: Error {}
    final class Refusing: HTTPBodySink {
      func begin(_ head: HTTPResponseHead) throws { throw Refused() }
      func receive(_ bytes: RawSpan) throws {}
    }
    let server = try WireServer { _ in .ok("body") }
    let client = HTTPClient(HTTPOptions(), waiting: Pauses().waiting)
    await #expect(throws: Refused.self) {
      _ = try await client.stream(HTTPRequest(server.url("/"), purpose: .media), into: Refusing())
    }
    #expect(server.requests.count == 1)
  }

  @Test("cancelling the task closes the connection at once", .timeLimit(.minutes(5)))
  func cancellation() async throws {
    let server = try WireServer { _ in
      WireServer.Answer(body: patternBytes(100_000), cutAfter: 1000, stalls: true)
    }
    let client = HTTPClient(HTTPOptions())
    let begun = AsyncStream<Void>.makeStream()
    final class Telling: HTTPBodySink {
      let tell: AsyncStream<Void>.Continuation
      init(_ tell: AsyncStream<Void>.Continuation) { self.tell = tell }
      func begin(_ head: HTTPResponseHead) throws {}
      func receive(_ bytes: RawSpan) throws { tell.yield() }
    }
    let task = Task {
      try await client.stream(
        HTTPRequest(server.url("/"), purpose: .media), into: Telling(begun.continuation))
    }
    for await _ in begun.stream { break }
    task.cancel()
    await #expect(throws: CancellationError.self) { _ = try await task.value }
    for await _ in server.endedConnections { break }
    #expect(server.requests.count == 1)
  }

  @Test("only http and https are fetched", arguments: ["file:///etc/passwd", "ftp://127.0.0.1/x"])
  func schemes(_ text: String) async throws {
    let url = try #require(URL(string: text))
    let error = try await downloadError {
      _ = try await HTTPClient(HTTPOptions()).fetch(HTTPRequest(url, purpose: .document))
    }
    #expect(error.code == .unsupported)
  }

  @Test("a HEAD has no body and tells the length")
  func head() async throws {
    let server = try WireServer { _ in .ok("hello") }
    let document = try await HTTPClient(HTTPOptions()).fetch(
      HTTPRequest(server.url("/"), purpose: .media, method: "HEAD"))
    #expect(document.head.contentLength == 5)
    #expect(document.body.isEmpty)
  }

  @Test("the rate limit holds over all transfers of all clients that share the options")
  func rate() async throws {
    var options = HTTPOptions()
    options.bytesPerSecond = 400_000
    let server = try WireServer { _ in WireServer.Answer(body: patternBytes(100_000)) }
    let clients = [HTTPClient(options), HTTPClient(options)]
    let time = try await ContinuousClock().measure {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for index in 0..<4 {
          group.addTask {
            let sink = GatheringSink()
            _ = try await clients[index % 2].stream(
              HTTPRequest(server.url("/\(index)"), purpose: .media), into: sink)
            #expect(sink.bytes == patternBytes(100_000))
          }
        }
        try await group.waitForAll()
      }
    }
    // 400,000 bytes, of which the bucket holds 100,000 at the start.
    #expect(time > .milliseconds(600))
  }

  @Test(
    "nothing follows a piece that the sink refuses, wherever in what the rate limit held back",
    arguments: [1, 17, 18, 19, 20])
  func refusal(_ last: Int) async throws {
    struct Refusal: Error {}
    final class Refusing: HTTPBodySink {
      let last: Int
      let count = Mutex(0)
      init(_ last: Int) { self.last = last }
      func begin(_ head: HTTPResponseHead) {}
      func receive(_ bytes: RawSpan) throws {
        let count = count.withLock { count in
          count += 1
          return count
        }
        if count == last { throw Refusal() }
      }
    }
    var options = HTTPOptions()
    // Reads of 64 KiB come in four pieces; sixteen pass before the limit holds one back.
    options.bytesPerSecond = 1 << 20
    let server = try WireServer { _ in WireServer.Answer(body: patternBytes(700_000)) }
    let sink = Refusing(last)
    await #expect(throws: Refusal.self) {
      _ = try await HTTPClient(options).stream(
        HTTPRequest(server.url("/"), purpose: .media), into: sink)
    }
    #expect(sink.count.withLock { $0 } == last)
  }
}
