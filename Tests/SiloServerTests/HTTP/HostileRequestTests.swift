import Foundation
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
      // It is cut off in the middle; what the client makes of it depends on who was faster.
      ("without end", ["--data-binary", "@" + large], ["000"]),
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

  @Test func `Three hundred clients that say nothing more hold nobody up`() async throws {
    let served = try await SignedInServer()
    try served.shelf.addFilm("film", file: 1, name: "film.mkv", [1, 2, 3])
    // A process of its own holds them: this one may have few descriptors.
    let port = try #require(served.server.url.port)
    let crowd = try RunningCommand(
      "bash",
      [
        "-c",
        """
        for i in $(seq 1 300); do
          exec {socket}<>/dev/tcp/127.0.0.1/$0 && printf 'POST /api/v1/auth/login HTTP/1.1\\r\\nHo' >&$socket
        done
        echo ready; exec sleep 1000
        """, String(port),
      ])
    #expect(try await crowd.line() == "ready")
    for _ in 0..<3 {
      #expect(try await served.send("GET", "/auth/me").status == 200)
      #expect(try await served.send("GET", "/direct-download?file_id=1").body == [1, 2, 3])
    }
    crowd.signal(SIGKILL)
    _ = try? await crowd.result()
    await served.stop()
  }
}
