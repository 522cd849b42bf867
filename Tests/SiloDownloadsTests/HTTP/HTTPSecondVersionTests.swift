import Foundation
import SiloDownloads
import SiloTestSupport
import Testing

@Suite("HTTP/2", .timeLimit(.minutes(5)))
struct HTTPSecondVersionTests {
  @Test("requests at once share one connection of HTTP/2, once the authority is named")
  func multiplexed() async throws {
    let authority = try await CertificateAuthority.make()
    let site = NginxServer.Site(
      certificate: try await authority.sign("localhost"), hasHTTP2: true,
      directives: """
        location / { return 200 "$server_protocol $connection $connection_requests $uri"; }
        """)
    let server = try await NginxServer.start([site])
    let url = { (path: String) in try #require(URL(string: server.url(path))) }
    let pauses = Pauses()
    let refused = try await downloadError {
      _ = try await HTTPClient(HTTPOptions(), waiting: pauses.waiting).fetch(
        HTTPRequest(url("/0"), purpose: .document))
    }
    #expect(refused.code == .config)
    #expect(pauses.all.isEmpty)

    var options = HTTPOptions()
    options.certificateAuthorities = URL(filePath: authority.path)
    let client = HTTPClient(options)
    let answers = try await withThrowingTaskGroup(of: Answer?.self) { group in
      for number in 0..<24 {
        let request = HTTPRequest(try url("/\(number)"), purpose: .media)
        group.addTask { Answer(try await client.fetch(request).body) }
      }
      return try await group.reduce(into: []) { $0.append($1) }.compactMap { $0 }
    }
    #expect(Set(answers.map(\.path)) == Set((0..<24).map { "/\($0)" }))
    #expect(Set(answers.map(\.version)) == ["HTTP/2.0"])
    #expect(Set(answers.map(\.connection)).count == 1)
    #expect(Set(answers.map(\.requestsOnIt)) == Set(1...24))
  }

  /// How nginx was asked.
  private struct Answer {
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
}
