import Foundation
import SiloDownloads
import SiloTestSupport
import Testing

@Suite("HTTP/2", .timeLimit(.minutes(5)))
struct HTTPSecondVersionTests {
  @Test("requests at once share one connection of HTTP/2, once the authority is named")
  func multiplexed() async throws {
    let server = try await SecureServer.start()
    defer { server.stop() }
    let pauses = Pauses()
    let refused = try await downloadError {
      _ = try await HTTPClient(HTTPOptions(), waiting: pauses.waiting).fetch(
        HTTPRequest(server.url("/0"), purpose: .document))
    }
    #expect(refused.code == .config)
    #expect(pauses.all.isEmpty)

    var options = HTTPOptions()
    options.certificateAuthorities = server.authority
    let client = HTTPClient(options)
    let answers = try await withThrowingTaskGroup(of: SecureServer.Answer?.self) { group in
      for number in 0..<24 {
        let request = HTTPRequest(server.url("/\(number)"), purpose: .media)
        group.addTask { SecureServer.Answer(try await client.fetch(request).body) }
      }
      return try await group.reduce(into: []) { $0.append($1) }.compactMap { $0 }
    }
    #expect(Set(answers.map(\.path)) == Set((0..<24).map { "/\($0)" }))
    #expect(Set(answers.map(\.version)) == ["HTTP/2.0"])
    #expect(Set(answers.map(\.connection)).count == 1)
    #expect(Set(answers.map(\.requestsOnIt)) == Set(1...24))
  }
}

/// nginx with HTTP/2 over TLS, under a certificate of an authority of its own, that answers with how it was asked.
private struct SecureServer {
  /// How nginx was asked.
  struct Answer {
    var version: String
    var connection: String
    var requestsOnIt: Int
    var path: String

    init?(_ body: [UInt8]) {
      let words = String(decoding: body, as: UTF8.self).split(separator: " ").map(String.init)
      guard words.count == 4, let count = Int(words[2]) else { return nil }
      (version, connection, requestsOnIt, path) = (words[0], words[1], count, words[3])
    }
  }

  private let folder: TemporaryFolder
  private let port: Int

  /// The certificate of the authority.
  var authority: URL { URL(filePath: folder.path("ca.pem")) }

  func url(_ path: String) -> URL {
    var parts = URLComponents()
    (parts.scheme, parts.host, parts.port, parts.path) = ("https", "127.0.0.1", port, path)
    return parts.url ?? URL(filePath: "/")
  }

  /// Starts it; it listens when this returns.
  static func start() async throws -> SecureServer {
    let folder = try TemporaryFolder()
    try await makeCertificates(in: folder)
    let start = ["-c", folder.path("nginx.conf"), "-e", folder.path("error.log")]
    var port = 0
    // Somebody else may have the port, so there are several attempts.
    for _ in 1..<8 {
      port = try choosePort(in: folder)
      if try await run(nginx, start).status == 0 {
        return SecureServer(folder: folder, port: port)
      }
    }
    port = try choosePort(in: folder)
    try await runSuccessfully(nginx, start)
    return SecureServer(folder: folder, port: port)
  }

  private static let nginx = "/usr/sbin/nginx"

  private static func choosePort(in folder: TemporaryFolder) throws -> Int {
    let port = Int.random(in: 20_000..<32_000)
    try folder.write("nginx.conf", configuration(folder.path, port: port))
    return port
  }

  func stop() {
    if let text = try? String(contentsOfFile: folder.path("nginx.pid"), encoding: .utf8),
      let process = pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines))
    {
      kill(process, SIGTERM)
    }
  }

  private static func makeCertificates(in folder: TemporaryFolder) async throws {
    try folder.write("names", "subjectAltName=IP:127.0.0.1\nbasicConstraints=CA:FALSE\n")
    let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    let commands = [
      ["req", "-x509"] + key
        + ["-keyout", "ca.key", "-out", "ca.pem", "-days", "2", "-subj", "/CN=an authority"],
      ["req"] + key + ["-keyout", "key.pem", "-out", "request.pem", "-subj", "/CN=localhost"],
      [
        "x509", "-req", "-in", "request.pem", "-CA", "ca.pem", "-CAkey", "ca.key",
        "-CAcreateserial", "-days", "2", "-extfile", "names", "-out", "cert.pem",
      ],
    ]
    for command in commands {
      try await runSuccessfully("openssl", command, in: folder.path)
    }
  }

  private static func configuration(_ folder: String, port: Int) -> String {
    """
    worker_processes 1;
    pid \(folder)/nginx.pid;
    events { worker_connections 64; }
    http {
      access_log off;
      client_body_temp_path \(folder); proxy_temp_path \(folder); fastcgi_temp_path \(folder);
      uwsgi_temp_path \(folder); scgi_temp_path \(folder);
      server {
        listen 127.0.0.1:\(port) ssl http2;
        ssl_certificate \(folder)/cert.pem;
        ssl_certificate_key \(folder)/key.pem;
        location / { return 200 "$server_protocol $connection $connection_requests $uri"; }
      }
    }
    """
  }
}
