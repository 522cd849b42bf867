import Foundation
import SiloTestSupport
import Testing

/// Promise 7: secrets stay with the origin that they belong to.
@Suite("Secrets")
struct SecretsTests {
  private let secret = ["--header", "Authorization: Bearer sesame-42"]

  private func authorised(_ server: FaultServer) -> [Bool] {
    server.requests.map { $0.header("Authorization") != nil }
  }

  @Test(
    "Authorization reaches the origin and no foreign URI of a playlist", .timeLimit(.minutes(5)))
  func foreignURI() async throws {
    let place = try TemporaryFolder()
    let hls = try await HLSFixture.make(HLSRecipe(.fmp4)).copy(to: place)
    let other = try FaultServer()
    other.serve(hls.folder)
    for rendition in ["tr", "video"] {
      let path = "\(hls.folder)/\(rendition)/index.m3u8"
      let text = try String(contentsOfFile: path, encoding: .utf8)
      let foreign = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
        line.hasPrefix("seg") ? other.url("/\(rendition)/\(line)") : String(line)
      }
      try foreign.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
    }
    let server = try FaultServer()
    server.serve(hls.folder)
    let tool = try Tool()
    let result = try await tool.run(
      secret + ["--audio", "tr", server.url("/master.m3u8"), "-o", "out.mkv", "-v"])
    #expect(result.status == 0, "\(result.stderr)")
    #expect(authorised(server).allSatisfy { $0 } && !server.requests.isEmpty)
    #expect(authorised(other).allSatisfy { !$0 } && !other.requests.isEmpty)
    try expectNoTrace(of: "sesame", result, tool)
  }

  @Test("Authorization does not follow a redirect to another port", .timeLimit(.minutes(5)))
  func redirect() async throws {
    let film = try await Film.mkv.path()
    let other = try FaultServer()
    other.serve(try Data(contentsOf: URL(filePath: film)).map { $0 }, at: "/film.mkv")
    let server = try FaultServer()
    server.on("/film.mkv") { _, _ in .redirect(to: other.url("/film.mkv?token=sesame")) }
    let tool = try Tool()
    let result = try await tool.run(secret + [server.url("/film.mkv"), "-o", "out.mkv"])
    #expect(result.status == 0, "\(result.stderr)")
    #expect(authorised(server).allSatisfy { $0 } && !server.requests.isEmpty)
    #expect(authorised(other).allSatisfy { !$0 } && !other.requests.isEmpty)
    try expectNoTrace(of: "sesame", result, tool)
  }

  /// No output, log, database or journal holds the secret.
  private func expectNoTrace(of secret: String, _ result: CommandResult, _ tool: Tool) throws {
    #expect(!result.stdout.contains(secret) && !result.stderr.contains(secret))
    let files = FileManager.default.enumerator(atPath: tool.folder.path)
    while let name = files?.nextObject() as? String {
      guard !name.hasSuffix(".mkv"),
        let bytes = FileManager.default.contents(atPath: tool.folder.path(name))
      else { continue }
      #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(name)")
    }
  }
}
