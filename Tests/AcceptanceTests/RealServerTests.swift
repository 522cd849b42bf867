import Foundation
import SiloTestSupport
import Testing

/// nginx as Debian has it: what a transfer does with a server that nobody wrote for it.
@Suite("A real server", .timeLimit(.minutes(5)))
struct RealServerTests {
  private static let megabyte = 1 << 20

  enum Way: String, CaseIterable, Sendable { case plain, encrypted, multiplexed }

  @Test(
    "a download that is killed on one connection goes on over eight, and is right",
    arguments: Way.allCases)
  func killed(way: Way) async throws {
    let authority = try await CertificateAuthority.make()
    let certificate = way == .plain ? nil : try await authority.sign("server")
    let nginx = try await NginxServer.start([
      .init(
        certificate: certificate, hasHTTP2: way == .multiplexed, directives: "limit_rate 2m;")
    ])
    let film = try await Film.padded(by: 20 * Self.megabyte)
    try nginx.serve(film, at: "/film.mkv")
    let tool = try Tool()
    let arguments = [
      "--json", "--cacert", authority.path, "-o", "out.mkv", nginx.url("/film.mkv"),
    ]
    // One connection needs eight seconds for the rest: time enough for the kill.
    let command = try tool.start(["-c", "1"] + arguments)
    _ = try await command.line { line in
      line.contains(#""event":"progress""#) && Self.number("bytes", in: line) > 4 * Self.megabyte
    }
    command.signal(SIGKILL)
    #expect(try await command.result().status == 128 + SIGKILL)
    #expect(try !tool.folder.names().contains("out.mkv"))

    let result = try await tool.run(["-c", "8"] + arguments)
    #expect(result.status == 0, "\(result.stderr)")
    #expect(try tool.folder.read("out.mkv") == film)
    #expect(try tool.leftovers() == ["out.mkv"])
    let log = try nginx.log()
    let wanted = way == .multiplexed ? "HTTP/2.0" : "HTTP/1.1"
    #expect(log.allSatisfy { $0.contains(wanted) }, "\(log)")
    // What the kill cost is what lay between the last mark and the kill, and what was on its way.
    let sent = log.reduce(0) { $0 + (Int($1.split(separator: " ").last ?? "") ?? 0) }
    #expect(sent < film.count + 10 * Self.megabyte, "\(log)")
  }

  private static func number(_ name: String, in line: Substring) -> Int {
    guard let place = line.range(of: "\"\(name)\":") else { return 0 }
    return Int(line[place.upperBound...].prefix { $0.isNumber }) ?? 0
  }

  @Test("a server that allows two connections gets no more in the end, and the file is whole")
  func limited() async throws {
    let nginx = try await NginxServer.start([
      .init(directives: "limit_rate 4m; limit_conn peer 2;")
    ])
    let film = try await Film.padded(by: 12 * Self.megabyte)
    try nginx.serve(film, at: "/film.mkv")
    let tool = try Tool()
    let result = try await tool.run(["-c", "8", "-o", "out.mkv", nginx.url("/film.mkv")])
    #expect(result.status == 0, "\(result.stderr)")
    #expect(try tool.folder.read("out.mkv") == film)
  }

  @Test("a certificate that openssl refuses is refused, before anything is asked for")
  func certificates() async throws {
    let authority = try await CertificateAuthority.make()
    let stranger = try await CertificateAuthority.make()
    let nginx = try await NginxServer.start([
      .init(certificate: try await authority.sign("right")),
      .init(certificate: try await authority.sign("other", for: "DNS:example.org")),
      .init(certificate: try await stranger.sign("unknown")),
      .init(certificate: try await authority.sign("expired", days: -1)),
    ])
    let film = try await Film.padded(by: 1)
    try nginx.serve(film, at: "/film.mkv")
    for (site, isRight) in [true, false, false, false].enumerated() {
      let judge = try await run(
        "openssl",
        [
          "s_client", "-connect", "127.0.0.1:\(nginx.port(site: site))", "-CAfile", authority.path,
          "-verify_return_error", "-verify_ip", "127.0.0.1",
        ])
      #expect((judge.status == 0) == isRight, "site \(site): \(judge.stderr)")
      let tool = try Tool()
      let url = nginx.url("/film.mkv", site: site)
      let result = try await tool.run(["--cacert", authority.path, "-o", "out.mkv", url])
      #expect(result.status == (isRight ? 0 : 7), "site \(site): \(result.stderr)")
      #expect(try tool.leftovers() == (isRight ? ["out.mkv"] : []))
      let isAsked = try nginx.log().contains { $0.hasPrefix("\(nginx.port(site: site)) ") }
      #expect(isAsked == isRight, "site \(site)")
      // Without the authority nothing is trusted; what the user insists on is.
      #expect(try await tool.run([url, "-o", "b.mkv"]).status == 7, "site \(site)")
      #expect(try await tool.run(["--insecure", url, "-o", "c.mkv"]).status == 0, "site \(site)")
    }
  }

  @Test("a step down from https to http is not taken with a secret, and is without one")
  func downgrade() async throws {
    let authority = try await CertificateAuthority.make()
    let nginx = try await NginxServer.start([
      .init(),
      .init(
        certificate: try await authority.sign("server"),
        directives: "location /down.mkv { return 302 http://127.0.0.1:PORT_0/film.mkv; }"),
    ])
    let film = try await Film.padded(by: 1)
    try nginx.serve(film, at: "/film.mkv")
    let plain = "\(nginx.port()) "
    let arguments = [
      "--cacert", authority.path, "-o", "out.mkv", nginx.url("/down.mkv", site: 1),
    ]
    let tool = try Tool()
    let refused = try await tool.run(["--header", "X-Token: sesame"] + arguments)
    #expect(refused.status == 4, "\(refused.stderr)")
    #expect(try !nginx.log().contains { $0.hasPrefix(plain) })
    #expect(try await tool.run(arguments).status == 0)
    #expect(try nginx.log().contains { $0.hasPrefix(plain) })
    #expect(try tool.folder.read("out.mkv") == film)
  }
}
