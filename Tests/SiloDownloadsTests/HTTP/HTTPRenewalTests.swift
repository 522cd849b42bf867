import Foundation
import SiloDownloads
import SiloSystem
import Synchronization
import Testing

@Suite("HTTP sign-in that expires", .timeLimit(.minutes(5)))
struct HTTPRenewalTests {
  private let pauses = Pauses()

  /// Tokens `t1`, `t2`, … in place of the first one, `t0`.
  private final class Renewals: Sendable {
    private let number = Mutex(0)
    var count: Int { number.withLock { $0 } }
    func next() -> String {
      number.withLock {
        $0 += 1
        return "t\($0)"
      }
    }
  }

  private func client(
    _ owner: URL, attempts: Int = 1, first: String? = "t0",
    renew: @escaping @Sendable () async throws -> String
  ) -> HTTPClient {
    var options = HTTPOptions()
    options.attempts = attempts
    options.credentialOrigin = owner
    if let first { options.userHeaders = [HTTPHeader("authorization", first)] }
    options.renewAuthorization = renew
    return HTTPClient(options, waiting: pauses.waiting)
  }

  /// Answers with `file` to whoever has one of `tokens`, else 401.
  private func server(_ tokens: Set<String>, _ body: [UInt8] = Array("film".utf8)) throws
    -> WireServer
  {
    try WireServer { request in
      tokens.contains(request.headers["authorization"] ?? "")
        ? .file(body, request) : WireServer.Answer(status: 401)
    }
  }

  private func tokens(_ server: WireServer) -> [String?] {
    server.requests.map { $0.headers["authorization"] }
  }

  @Test("an expired sign-in is renewed once, at the cost of no attempt", arguments: ["t0", nil])
  func renewed(first: String?) async throws {
    let server = try server(["t1"])
    let renewals = Renewals()
    let client = client(server.url("/"), first: first) { renewals.next() }
    for _ in 0..<2 {
      let document = try await client.fetch(HTTPRequest(server.url("/a"), purpose: .document))
      #expect(document.body == Array("film".utf8))
    }
    #expect(tokens(server) == [first, "t1", "t1"])
    #expect(renewals.count == 1 && pauses.all.isEmpty)
  }

  @Test("sixteen requests that are refused together share one renewal")
  func shared() async throws {
    let (refusals, refused) = AsyncStream.makeStream(of: Void.self)
    let server = try WireServer { request in
      if request.headers["authorization"] == "t1" { return .ok("film") }
      refused.yield()
      return WireServer.Answer(status: 401)
    }
    let renewals = Renewals()
    let client = client(server.url("/")) {
      var left = 16
      for await _ in refusals {
        left -= 1
        if left == 0 { break }
      }
      return renewals.next()
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<16 {
        group.addTask {
          let request = HTTPRequest(server.url("/\(number)"), purpose: .media, range: 0..<4)
          let body = try await client.fetch(request).body
          #expect(body == Array("film".utf8))
        }
      }
      try await group.waitForAll()
    }
    #expect(renewals.count == 1)
    #expect(tokens(server).filter { $0 == "t0" }.count == 16)
    #expect(tokens(server).filter { $0 == "t1" }.count == 16)
  }

  @Test("what a renewal brought and the server refuses is final, for every request")
  func final() async throws {
    let server = try server([])
    let renewals = Renewals()
    let client = client(server.url("/"), attempts: 5) { renewals.next() }
    for expected in [["t0", "t1"], ["t0", "t1", "t1"]] {
      let error = try await downloadError {
        _ = try await client.fetch(HTTPRequest(server.url("/a"), purpose: .document))
      }
      #expect(error.code == .auth && error.status == 401)
      #expect(tokens(server) == expected)
    }
    #expect(renewals.count == 1 && pauses.all.isEmpty)
  }

  @Test("one address that refuses what others take does not renew for ever")
  func oneAddress() async throws {
    let server = try WireServer { request in
      request.target == "/closed" ? WireServer.Answer(status: 401) : .ok("film")
    }
    let renewals = Renewals()
    let client = client(server.url("/")) { renewals.next() }
    for _ in 0..<2 {
      _ = try await client.fetch(HTTPRequest(server.url("/open"), purpose: .document))
      let error = try await downloadError {
        _ = try await client.fetch(HTTPRequest(server.url("/closed"), purpose: .document))
      }
      #expect(error.code == .auth)
    }
    #expect(renewals.count == 2)
    #expect(server.requests.count == 6)
  }

  @Test("a sign-in that expires again and again during a long body is renewed each time")
  func again() async throws {
    let file = patternBytes(400_000)
    let used = Mutex<Set<String>>([])
    let server = try WireServer { request in
      // Every token is good for one part.
      let token = request.headers["authorization"] ?? ""
      guard used.withLock({ $0.insert(token).inserted }), token != "t0" else {
        return WireServer.Answer(status: 401)
      }
      var answer = WireServer.Answer.file(file, request)
      answer.cutAfter = answer.body.count > 100_000 ? 100_000 : nil
      return answer
    }
    let renewals = Renewals()
    let client = client(server.url("/"), attempts: 2) { renewals.next() }
    let sink = GatheringSink()
    _ = try await client.stream(HTTPRequest(server.url("/"), purpose: .media), into: sink) {
      HTTPRequest(server.url("/"), purpose: .media, range: Int64(sink.bytes.count)..<Int64.max)
    }
    #expect(sink.bytes == file)
    #expect(renewals.count == 4)
  }

  @Test("neither the new sign-in nor the renewal is for another origin")
  func foreign() async throws {
    let foreign = try server(["t1"])
    let home = try WireServer { _ in .redirect(foreign.url("/").absoluteString) }
    let renewals = Renewals()
    let client = client(home.url("/")) { renewals.next() }
    for url in [home.url("/"), foreign.url("/")] {
      let error = try await downloadError {
        _ = try await client.fetch(HTTPRequest(url, purpose: .document))
      }
      #expect(error.code == .auth)
    }
    #expect(renewals.count == 0)
    #expect(tokens(foreign) == [nil, nil])
  }

  @Test("a renewal that fails ends the request; one that may pass is tried with the next request")
  func failing() async throws {
    struct Broken: Error {}
    let rows: [(error: any Error, code: DownloadError.Code, renewals: Int)] = [
      (Broken(), .auth, 1), (DownloadError(.auth, "Signed out."), .auth, 1),
      (DownloadError(.temporary, "Later."), .temporary, 2),
    ]
    for row in rows {
      let server = try server(["t1"])
      let renewals = Renewals()
      let client = client(server.url("/")) {
        _ = renewals.next()
        throw row.error
      }
      for _ in 0..<2 {
        let error = try await downloadError {
          _ = try await client.fetch(HTTPRequest(server.url("/"), purpose: .document))
        }
        #expect(error.code == row.code)
      }
      #expect(renewals.count == row.renewals, "\(row.error)")
    }
  }

  @Test("a request that is cancelled does not wait for the renewal, and does not end it for others")
  func cancelled() async throws {
    let server = try server(["t1"])
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    let client = client(server.url("/")) {
      begin.yield()
      for await _ in ends { break }
      return "t1"
    }
    let request = HTTPRequest(server.url("/"), purpose: .document)
    let first = Task { try await client.fetch(request) }
    for await _ in begun { break }
    let second = Task { try await client.fetch(request) }
    first.cancel()
    await #expect(throws: CancellationError.self) { _ = try await first.value }
    end.yield()
    #expect(try await second.value.body == Array("film".utf8))
  }
}
