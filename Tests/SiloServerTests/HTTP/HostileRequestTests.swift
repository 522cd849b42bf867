import Foundation
import SiloSystem
import SiloTestSupport
import Testing

@testable import SiloServer

@Suite struct HostileRequestTests {
  @Test func `Bodies and headers that are too long end, and the next request is answered`()
    async throws
  {
    let served = try await SignedInServer()
    let url = served.server.url.absoluteString + "api/v1/auth/login"
    let large = served.media.path(".large")
    try Data(count: 32 << 20).write(to: URL(filePath: large))
    let medium = try served.media.write(".medium", [UInt8](repeating: 0x20, count: 1 << 20))
    let header = String(repeating: "x", count: 40_000)
    let rows: [(name: String, arguments: [String], answers: Set<String>)] = [
      ("over the limit", ["--data-binary", "@" + medium], ["413"]),
      (
        "over the limit, length unknown",
        ["-H", "Transfer-Encoding: chunked", "--data-binary", "@" + medium], ["413"]
      ),
      ("far over the limit", ["--data-binary", "@" + large], ["413"]),
      (
        // Otherwise curl asks for a second only, and then sends into a connection that the answer has closed.
        "far over the limit, asked for first",
        ["-H", "Expect: 100-continue", "--expect100-timeout", "50", "-T", large], ["405"]
      ),
      ("a long field", ["-H", "X-Long: " + header, "-d", "{}"], ["431", "413", "000"]),
      ("a long query", ["-G", "-d", "token=" + header], ["414", "431", "000"]),
      ("a body with GET", ["-X", "GET", "--data-binary", "@" + medium], ["405"]),
      ("no JSON", ["-d", "a=b"], ["400"]),
    ]
    for row in rows {
      let result = try await run(
        "curl",
        ["-s", "-m", "60", "-o", "/dev/null", "-w", "%{http_code}", "-H", "Expect:"]
          + row.arguments + [url])
      #expect(row.answers.contains(result.stdout), "\(row.name): \(result.stdout)")
      #expect(try await served.send("GET", "/health").text == "{\"status\":\"ok\"}", "\(row.name)")
    }
    await served.stop()
  }

  /// What is sent, and the statuses that come; `isClosed` is nil where it does not matter.
  private struct Row {
    var name: String
    var request: String
    var statuses: [Int]
    var isClosed: Bool? = nil
  }

  private static let host = "Host: x\r\n"
  private static let login = "POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\n"

  private static let rows: [Row] = [
    Row(name: "no request", request: "hello\r\n\r\n", statuses: [], isClosed: true),
    Row(name: "no version", request: "GET /\r\n\r\n", statuses: [400], isClosed: true),
    Row(name: "no method", request: "/ HTTP/1.1\r\n\(host)\r\n", statuses: [400], isClosed: true),
    Row(
      name: "HTTP/2", request: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", statuses: [505], isClosed: true),
    Row(
      name: "a field of 40 KB",
      request: "GET / HTTP/1.1\r\n\(host)X: \(String(repeating: "a", count: 40_000))\r\n\r\n",
      statuses: [431], isClosed: true),
    Row(
      name: "5000 fields",
      request: "GET / HTTP/1.1\r\n\(host)" + String(repeating: "X: a\r\n", count: 5000) + "\r\n",
      statuses: [431], isClosed: true),
    Row(
      name: "an address of 40 KB",
      request: "GET /\(String(repeating: "a", count: 40_000)) HTTP/1.1\r\n\(host)\r\n",
      statuses: [414], isClosed: true),
    Row(
      name: "two lengths", request: login + "Content-Length: 2\r\nContent-Length: 30\r\n\r\n{}",
      statuses: [400], isClosed: true),
    Row(
      name: "a length and chunks",
      request: login + "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      statuses: [400], isClosed: true),
    Row(
      name: "another coding", request: login + "Transfer-Encoding: gzip\r\n\r\n{}", statuses: [400],
      isClosed: true),
    Row(
      name: "no chunk", request: login + "Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
      statuses: [400], isClosed: true),
    Row(
      name: "a chunk without end",
      request: login + "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n{}", statuses: [413],
      isClosed: true),
    Row(
      name: "10 GB", request: login + "Content-Length: 10000000000\r\n\r\n{", statuses: [413],
      isClosed: true),
    Row(
      name: "100 MB, asked for first",
      request: login + "Content-Length: 104857600\r\nExpect: 100-continue\r\n\r\n",
      statuses: [413], isClosed: true),
    Row(
      name: "100 MB",
      request: login + "Content-Length: 104857600\r\n\r\n"
        + String(repeating: " ", count: 104_857_600),
      statuses: [413], isClosed: false),
    Row(
      name: "more than its length",
      request: login + "Content-Length: 2\r\n\r\n{}XXXXX\r\n\r\n", statuses: [400], isClosed: true),
    Row(
      name: "three in a row",
      request:
        "GET /api/v1/health HTTP/1.1\r\n\(host)\r\nGET /api/v1/auth/me HTTP/1.1\r\n\(host)\r\n"
        + "GET /api/v1/health HTTP/1.1\r\n\(host)\r\n", statuses: [200, 401, 200], isClosed: false),
    Row(
      name: "a NUL", request: "GET /api/v1/health%00 HTTP/1.1\r\n\(host)\r\n", statuses: [400],
      isClosed: false),
    Row(
      name: "dots behind escaped slashes",
      request: "GET /api/v1/downloads/..%2f..%2fetc/file HTTP/1.1\r\n\(host)\r\n", statuses: [400],
      isClosed: false),
    Row(
      name: "an escaped slash in an id",
      request: "GET /api/v1/downloads/1%2f2/file HTTP/1.1\r\n\(host)\r\n", statuses: [404],
      isClosed: false),
    Row(
      name: "dots", request: "GET /../../etc/passwd HTTP/1.1\r\n\(host)\r\n", statuses: [400],
      isClosed: false),
    Row(
      name: "a proxy's request", request: "CONNECT x:80 HTTP/1.1\r\n\(host)\r\n", statuses: [405]),
    Row(name: "a trace", request: "TRACE / HTTP/1.1\r\n\(host)\r\n", statuses: [405]),
  ]

  @Test func `Whatever is sent has the right answer, and the next client is answered`() async throws
  {
    let served = try await SignedInServer()
    let port = try #require(served.server.url.port.flatMap { UInt16(exactly: $0) })
    for row in Self.rows {
      let heard = try await onOwnThread { _ in
        let connection = try RawConnection(port: port)
        connection.send(row.request)
        // Where it stays open there is nothing more to come than what is expected.
        let last = row.isClosed == false ? "}" : nil
        var heard = connection.hear(until: last)
        while !heard.isClosed, heard.statuses.count < row.statuses.count, last != nil {
          let more = connection.hear(until: last)
          heard.bytes += more.bytes
          if more.bytes.isEmpty { break }
        }
        return heard
      }
      // libmicrohttpd may say the head of its own refusals twice.
      #expect(Self.withoutRepeats(heard.statuses) == row.statuses, "\(row.name): \(heard.text)")
      if let isClosed = row.isClosed { #expect(heard.isClosed == isClosed, "\(row.name)") }
      #expect(try await served.send("GET", "/health").text == "{\"status\":\"ok\"}", "\(row.name)")
    }
    await served.stop()
  }

  private static func withoutRepeats(_ statuses: [Int]) -> [Int] {
    statuses.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
  }

  @Test func `What is a little too long is refused in the words of the contract`() async throws {
    let served = try await SignedInServer()
    let port = try #require(served.server.url.port.flatMap { UInt16(exactly: $0) })
    let (fits, over) = (
      String(repeating: "a", count: 32_000), String(repeating: "a", count: 33_000)
    )
    let rows = [
      ("GET /api/v1/health HTTP/1.1\r\n\(Self.host)X: \(fits)\r\n\r\n", 200, "\"ok\""),
      ("GET /api/v1/health HTTP/1.1\r\n\(Self.host)X: \(over)\r\n\r\n", 431, "The header of this"),
      ("GET /\(over) HTTP/1.1\r\n\(Self.host)\r\n", 414, "This address is too long"),
      ("GET /?a=\(over) HTTP/1.1\r\n\(Self.host)\r\n", 414, "This address is too long"),
    ]
    for (request, status, words) in rows {
      let heard = try await onOwnThread { _ in
        let connection = try RawConnection(port: port)
        connection.send(request)
        return connection.hear(until: "}")
      }
      #expect(heard.statuses == [status] && heard.text.contains(words), "\(heard.text)")
      #expect(heard.text.contains("application/json") && !heard.text.contains("<html"))
    }
    await served.stop()
  }

  @Test func `A connection without a request ends, whether it says nothing or a byte now and then`()
    async throws
  {
    // What comes with the request's first bytes is no request yet; neither is a body that does not end.
    let starts = [
      "", "GET / HT", "POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{",
    ]
    let idle = try await SignedInServer { $0.connections.idleSeconds = 1 }
    let late = try await SignedInServer {
      ($0.connections.idleSeconds, $0.connections.requestSeconds) = (1000, 1)
    }
    for served in [idle, late] {
      let port = try #require(served.server.url.port.flatMap { UInt16(exactly: $0) })
      for start in starts {
        let heard = try await onOwnThread { _ in
          let connection = try RawConnection(port: port)
          connection.send(start)
          return connection.hear(quiet: .seconds(100))
        }
        #expect(heard.isClosed && !heard.statuses.contains(200), "\(start)")
      }
      await served.stop()
    }
  }
}
