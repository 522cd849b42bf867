import Foundation
import SiloTestSupport
import Testing

/// How a server is reached: proxies, what is excepted from them, addresses of version 6, names that move.
@Suite("The way to a server", .timeLimit(.minutes(5)))
struct WayToServerTests {
  private let film: [UInt8]
  private let server: FaultServer
  private let tool: Tool

  init() async throws {
    film = try await Film.padded(by: 1)
    server = try FaultServer()
    server.serve(film, at: "/film.mkv")
    tool = try Tool()
  }

  /// A proxy that has the film under every address; nobody else listens at 127.83.0.9.
  private func proxy() throws -> (FaultServer, target: String) {
    let proxy = try FaultServer()
    let film = film
    proxy.onOthers { _, _ in .bytes(film) }
    return (proxy, "http://127.83.0.9:9/film.mkv")
  }

  private func get(_ arguments: [String], _ variables: [String: String?] = [:]) async throws
    -> CommandResult
  {
    try await tool.start(arguments + ["-o", "out.mkv", "--overwrite"], variables)
      .result(timeout: .seconds(90))
  }

  @Test("a proxy of the command line or of the environment is asked for the whole address")
  func proxied() async throws {
    let (proxy, target) = try proxy()
    let rows: [(options: [String], variables: [String: String?])] = [
      (["--proxy", proxy.url()], [:]), ([], ["http_proxy": proxy.url()]),
      ([], ["ALL_PROXY": proxy.url()]),
      (["--proxy", proxy.url()], ["http_proxy": "http://127.83.0.9:9"]),
    ]
    for row in rows {
      proxy.forgetRequests()
      let result = try await get(row.options + [target], row.variables)
      #expect(result.status == 0, "\(row): \(result.stderr)")
      #expect(try tool.folder.read("out.mkv") == film)
      #expect(!proxy.requests.isEmpty && proxy.requests.allSatisfy { $0.path == target }, "\(row)")
    }
  }

  @Test("what NO_PROXY names is asked directly")
  func excepted() async throws {
    let (proxy, _) = try proxy()
    let rows: [(variables: [String: String?], isProxied: Bool)] = [
      (["NO_PROXY": "127.0.0.1"], false), (["no_proxy": "example.org,127.0.0.1"], false),
      (["NO_PROXY": "*"], false), (["NO_PROXY": "example.org"], true), (["NO_PROXY": nil], true),
    ]
    for row in rows {
      proxy.forgetRequests()
      server.forgetRequests()
      let variables = ["http_proxy": proxy.url(), "no_proxy": nil].merging(row.variables) { $1 }
      let result = try await get([server.url("/film.mkv")], variables)
      #expect(result.status == 0, "\(row): \(result.stderr)")
      #expect(proxy.requests.isEmpty != row.isProxied, "\(row)")
      #expect(server.requests.isEmpty == row.isProxied, "\(row)")
    }
  }

  @Test("the sign-in to a proxy is for the proxy, and a proxy that refuses it is exit 7")
  func proxySignIn() async throws {
    let (proxy, target) = try proxy()
    let film = film
    let expected = "Basic " + Data("me:sesame".utf8).base64EncodedString()
    proxy.onOthers { request, _ in
      request.header("Proxy-Authorization") == expected
        ? .bytes(film) : .status(407).header("Proxy-Authenticate", "Basic realm=\"x\"")
    }
    let address = proxy.url().dropFirst("http://".count)
    let result = try await get(["--proxy", "http://me:sesame@\(address)", target])
    #expect(result.status == 0, "\(result.stderr)")
    #expect(proxy.requests.allSatisfy { $0.header("Authorization") == nil })
    let refused = try await get(["--proxy", "http://me:wrong-sesame@\(address)", target])
    #expect(refused.status == 7, "\(refused.stderr)")
    #expect(!refused.stderr.contains("sesame"), "\(refused.stderr)")
    // Nobody listens: what may pass.
    let away = try await get(["--retry", "1", "--proxy", "http://127.83.0.9:9", target])
    #expect(away.status == 5, "\(away.stderr)")
  }

  @Test("a name that moves during a download is looked up again, and the download goes on there")
  func moved() async throws {
    let film = try await Film.padded(by: 3 << 20)
    // Two machines at one port: nobody else uses these addresses.
    let old = try FaultServer(address: "127.83.7.1")
    let new = try FaultServer(address: "127.83.7.2", port: old.port)
    let there = "film.test 127.83.7.2\n"
    let hosts = try tool.folder.write("hosts", "film.test 127.83.7.1\n")
    for server in [old, new] { server.serve(film, at: "/film.mkv") }
    old.on("/film.mkv") { request, _ in
      if (try? String(contentsOfFile: hosts, encoding: .utf8)) == there { return .hangUp }
      // A look into it asks for parts; the transfer asks for everything, and that is when the machine moves.
      guard [nil, "bytes=0-"].contains(request.header("Range")) else { return .served }
      try? there.write(toFile: hosts, atomically: true, encoding: .utf8)
      return .served.cut(after: 1 << 20)
    }
    let url = old.url("/film.mkv", host: "film.test")
    let result = try await get(
      ["-c", "1", "--retry", "3", url], try SystemFault.resolving(hosts: hosts))
    #expect(result.status == 0, "\(result.stderr)")
    #expect(try tool.folder.read("out.mkv") == film)
    #expect(!new.requests.isEmpty)
    // What arrived from the old machine is not asked for again.
    #expect(new.requests.allSatisfy { $0.header("Range") == "bytes=\(1 << 20)-" })
  }

  @Test("a server at an address of version 6, with a secret of its own")
  func versionSix() async throws {
    let server = try FaultServer(address: "::1")
    server.serve(film, at: "/film.mkv")
    let result = try await get(["--header", "Authorization: Bearer x", server.url("/film.mkv")])
    #expect(result.status == 0, "\(result.stderr)")
    #expect(try tool.folder.read("out.mkv") == film)
    #expect(server.requests.allSatisfy { $0.header("Authorization") == "Bearer x" })
    #expect(server.requests.allSatisfy { $0.header("Host") == "[::1]:\(server.port)" })
  }

  @Test("netrc, cookies and a header reach the server that they are for")
  func secrets() async throws {
    let netrc = try tool.folder.write("netrc", "machine 127.0.0.1 login me password sesame\n")
    let cookies = try tool.folder.write(
      "cookies", "# Netscape HTTP Cookie File\n127.0.0.1\tFALSE\t/\tFALSE\t0\tid\tsesame\n")
    try tool.folder.write(".netrc", "machine 127.0.0.1 login you password sesame\n")
    let rows: [(options: [String], field: String, value: String)] = [
      (["--netrc-file", netrc], "Authorization", "Basic " + base64("me:sesame")),
      (["--netrc"], "Authorization", "Basic " + base64("you:sesame")),
      (["--cookies", cookies], "Cookie", "id=sesame"), (["--header", "X-A: b"], "X-A", "b"),
    ]
    for row in rows {
      server.forgetRequests()
      let result = try await get(row.options + [server.url("/film.mkv")])
      #expect(result.status == 0, "\(row): \(result.stderr)")
      let values = server.requests.map { $0.header(row.field) }
      #expect(Set(values) == [row.value], "\(row)")
    }
  }

  private func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
}
