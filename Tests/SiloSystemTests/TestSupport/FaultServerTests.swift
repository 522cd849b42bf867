import SiloTestSupport
import Testing

/// The fault server is what other tests rest on, so curl judges it first.
@Suite struct FaultServerTests {
  private let film = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }

  private func server() throws -> FaultServer {
    let server = try FaultServer()
    server.serve(film, at: "/film")
    return server
  }

  private func curl(_ arguments: String...) async throws -> CommandResult {
    try await run("curl", ["-sS", "--max-time", "20", "--noproxy", "*"] + arguments)
  }

  @Test func `bytes and folders are served whole and in ranges`() async throws {
    let server = try server()
    let folder = try TemporaryFolder()
    try folder.write("a b/list.m3u8", "#EXTM3U\n")
    server.serve(folder.path, at: "/media")
    #expect(try await curl(server.url("/film")).output == film)
    #expect(try await curl("-r", "10-19", server.url("/film")).output == Array(film[10...19]))
    #expect(try await curl("-r", "-5", server.url("/film")).output == Array(film.suffix(5)))
    #expect(try await curl("-r", "99990-", server.url("/film")).output == Array(film.suffix(10)))
    #expect(try await curl(server.url("/media/a%20b/list.m3u8")).stdout == "#EXTM3U\n")
    let head = try await curl("-I", server.url("/media/a%20b/list.m3u8")).stdout
    for field in ["200 OK", "Content-Length: 8", "mpegurl", "ETag: \"", "Last-Modified: "] {
      #expect(head.contains(field), "\(field)")
    }
    for path in ["/none", "/media/%2e%2e/%2e%2e/etc/hostname", "/media/a%20b"] {
      let status = try await curl(
        "--path-as-is", "-o", "/dev/null", "-w", "%{http_code}", server.url(path))
      #expect(status.stdout == "404", "\(path)")
    }
  }

  @Test func `requests are recorded as they arrived`() async throws {
    let server = try server()
    _ = try await curl("-H", "X-Two: b", "-d", "body", server.url("/film%2F?a=1&b=%20"))
    _ = try await curl("-r", "0-9", server.url("/film"), server.url("/film"))
    let first = try #require(server.requests.first)
    #expect(first.method == "POST" && first.path == "/film%2F" && first.query == "a=1&b=%20")
    #expect(first.text == "body" && first.header("x-two") == "b" && first.parameter("b") == "%20")
    #expect(server.requests(for: "/film").map(\.bytesSent) == [10, 10])
    #expect(server.requests(for: "/film").map(\.status) == [206, 206])
    // Keep-alive: the two came by one connection.
    #expect(Set(server.requests(for: "/film").map(\.connection)).count == 1)
    server.forgetRequests()
    #expect(server.requests.isEmpty)
  }

  @Test func `ranges go wrong as told`() async throws {
    let server = try server()
    let rows: [(FaultAnswer, status: String, contentRange: String)] = [
      (.served, "206", "bytes 100-199/100000"), (.served.ignoringRange(), "200", ""),
      (.served.shiftingRange(by: 7), "206", "bytes 107-199/100000"),
      (.served.shiftingTotal(by: 1), "206", "bytes 100-199/100001"), (.status(416), "416", ""),
    ]
    server.on("/wrong") { _, n in rows[n - 1].0 }
    server.serve(film, at: "/wrong")
    for row in rows {
      let seen = try await curl(
        "-r", "100-199", "-o", "/dev/null", "-w", "%{http_code} %header{content-range}",
        server.url("/wrong"))
      #expect(seen.stdout == "\(row.status) \(row.contentRange)")
    }
    let beyond = try await curl(
      "-r", "100000-", "-o", "/dev/null", "-w", "%{http_code} %header{content-range}",
      server.url("/film"))
    #expect(beyond.stdout == "416 bytes */100000")
  }

  @Test func `if-range of another version gets the whole`() async throws {
    let server = try server()
    server.on("/film") { _, n in .served.etag(n < 3 ? "one" : "two") }
    let statuses = try await [
      curl(
        "-r", "0-9", "-H", "If-Range: \"one\"", "-o", "/dev/null", "-w", "%{http_code}",
        server.url("/film")),
      curl(
        "-r", "0-9", "-H", "If-Range: \"no\"", "-o", "/dev/null", "-w", "%{http_code}",
        server.url("/film")),
      curl(
        "-r", "0-9", "-H", "If-Range: \"one\"", "-o", "/dev/null", "-w", "%{http_code}",
        server.url("/film")),
    ].map(\.stdout)
    #expect(statuses == ["206", "200", "200"])
  }

  @Test func `bodies are cut, framed and coded as told`() async throws {
    let server = try server()
    let rows: [(path: String, answer: FaultAnswer, status: Int32, count: Int)] = [
      ("/length-cut", .bytes(film).cut(after: 1234), 18, 1234),
      ("/reset", .bytes(film).cut(after: 1234, reset: true), 56, 1234),
      ("/no-length", .bytes(film).withoutLength(), 0, 100_000),
      ("/no-length-cut", .bytes(film).withoutLength().cut(after: 1234), 0, 1234),
      ("/chunked", .bytes(film).chunked(), 0, 100_000),
      ("/chunked-cut", .bytes(film).chunked().cut(after: 1234), 18, 1234),
      ("/lie", .bytes(film).claiming(length: 100_001), 18, 100_000),
      ("/gzip", .bytes(film).gzipped(), 0, 100_000),
      ("/drip", .bytes(Array(film[..<50])).dripping(10, every: .milliseconds(5)), 0, 50),
      ("/hang-up", .hangUp, 52, 0), ("/empty", .bytes([]), 0, 0),
      ("/late", .bytes(film).delayed(by: .milliseconds(50)), 0, 100_000),
    ]
    for row in rows { server.on(row.path) { _, _ in row.answer } }
    for row in rows {
      let seen = try await curl("--compressed", server.url(row.path))
      // A reset may overtake what the kernel still holds.
      let count = row.path == "/reset" ? 1234 : seen.output.count
      #expect(seen.status == row.status && count == row.count, "\(row.path): \(seen.status)")
      #expect(seen.output == Array(film.prefix(seen.output.count)), "\(row.path)")
    }
    #expect(server.requests(for: "/length-cut").first?.bytesSent == 1234)
  }

  @Test func `redirects lead on and round in circles`() async throws {
    let server = try server()
    server.on("/from") { _, _ in .redirect(to: "/film") }
    server.on("/circle") { _, _ in .redirect(to: "/circle") }
    server.on("/busy") { _, n in n < 3 ? .status(503, retryAfter: "0") : .text("done") }
    #expect(try await curl("-L", server.url("/from")).output == film)
    #expect(try await curl("-L", server.url("/circle")).status == 47)
    #expect(try await curl("--retry", "5", server.url("/busy")).stdout.hasSuffix("done"))
    #expect(server.requests(for: "/busy").count == 3)
  }

  @Test func `a stall lasts until the client or the server gives up`() async throws {
    let server = try server()
    server.on("/stall") { _, _ in .served.stalling(after: 100) }
    server.serve(film, at: "/stall")
    let impatient = try await run(
      "curl", ["-sS", "--noproxy", "*", "--max-time", "0.3", server.url("/stall")])
    #expect(impatient.status == 28 && impatient.output.count == 100)
    let patient = try RunningCommand("curl", ["-sSN", "--noproxy", "*", server.url("/stall")])
    // The bytes are counted after the head was sent.
    await server.until { $0.count == 2 && $0[1].bytesSent == 100 }
    server.stop()
    let end = try await patient.result(timeout: .seconds(20))
    #expect(end.status == 18)
  }

  @Test func `big output and slow commands do not block a test`() async throws {
    let big = try await run(
      "sh", "-c", "head -c 3000000 /dev/zero; head -c 1000000 /dev/zero >&2; exit 7")
    #expect(big.status == 7 && big.output.count == 3_000_000 && big.errors.count == 1_000_000)
    #expect(try await run("sleep", ["60"], timeout: .seconds(1)).status == 137)
    #expect(try await run("cat", [], input: "in").stdout == "in")
    #expect(try await run("pwd", [], in: "/usr").stdout == "/usr\n")
    #expect(
      try await run("sh", ["-c", "echo $A-$HOME"], environment: ["A": "1", "HOME": nil]).stdout
        == "1-\n")
    await #expect(throws: (any Error).self) { try await run("no-such-command") }
  }
}
