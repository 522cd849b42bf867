import Foundation
import SiloDownloads
import SiloTestSupport
import Testing

@Suite("HTTP trust")
struct HTTPTrustTests {
  @Test(
    "a certificate of an unknown authority is refused without retries, and accepted when it is named"
  )
  func certificate() async throws {
    let folder = try TemporaryFolder()
    try folder.write("hello", "hello")
    try await runSuccessfully(
      "openssl",
      [
        "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "key.pem", "-out", "cert.pem",
        "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1",
      ], in: folder.path)
    let server = try RunningCommand(
      "openssl",
      ["s_server", "-accept", "127.0.0.1:0", "-cert", "cert.pem", "-key", "key.pem", "-WWW"],
      in: folder.path)
    defer { server.signal(SIGKILL) }
    let url = try #require(URL(string: "https://127.0.0.1:\(await port(server))/hello"))
    let request = HTTPRequest(url, purpose: .document)
    let pauses = Pauses()

    let error = try await downloadError {
      _ = try await HTTPClient(HTTPOptions(), waiting: pauses.waiting).fetch(request)
    }
    #expect(error.code == .config)
    #expect(pauses.all.isEmpty)

    var trusting = HTTPOptions()
    trusting.certificateAuthorities = URL(fileURLWithPath: folder.path("cert.pem"))
    var careless = HTTPOptions()
    careless.acceptsAnyCertificate = true
    for options in [trusting, careless] {
      #expect(try await HTTPClient(options).fetch(request).body == Array("hello".utf8))
    }

    var broken = HTTPOptions()
    broken.certificateAuthorities = URL(fileURLWithPath: folder.path("missing.pem"))
    let unreadable = try await downloadError {
      _ = try await HTTPClient(broken, waiting: pauses.waiting).fetch(request)
    }
    #expect(unreadable.code == .config)
  }

  /// The port that the system chose, as the server prints it.
  private func port(_ server: RunningCommand) async throws -> Int {
    let line = try await server.line { $0.hasPrefix("ACCEPT") }
    return try #require(line.split(separator: ":").last.flatMap { Int($0) })
  }
}
