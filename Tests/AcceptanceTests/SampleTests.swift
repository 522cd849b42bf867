import Foundation
import SiloTestSupport
import Testing

/// The samples that use a server, beside the program they are samples of.
@Suite("Samples with a server", .timeLimit(.minutes(5)))
struct SampleTests {
  private let tool: Tool
  private let media: TemporaryFolder
  private let script = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Samples/season.sh")

  init() throws { (tool, media) = (try Tool(), try TemporaryFolder()) }

  private func season(_ words: String...) async throws -> CommandResult {
    var environment = tool.environment
    environment["SILO_FETCH"] = try productPath("silo-fetch")
    return try await SiloTestSupport.run(
      script.path, words, environment: environment, in: tool.folder.path)
  }

  @Test("a season is found and fetched by a script, queued by a program, and listed offline")
  func samples() async throws {
    for episode in 1...2 {
      let path = try media.write("Series (2019)/Season 01/Series S01E0\(episode).mkv", "")
      try FileManager.default.removeItem(atPath: path)
      try FileManager.default.copyItem(atPath: try await Film.mkv.path(), toPath: path)
    }
    let server = try tool.start([
      "serve", media.path, "--listen", "127.0.0.1:0", "--json", "--data", tool.folder.path("data"),
    ])
    defer { server.signal(SIGTERM) }
    let line = try await server.line { $0.contains("listening") }
    let listening = try #require(
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    let keyFile = try #require(listening["api_key_file"] as? String)
    try await tool.signIn(
      at: try #require(listening["url"] as? String),
      key: try String(contentsOfFile: keyFile, encoding: .utf8))

    let none = try await season("no", "such", "thing")
    #expect(none.status == 3, "\(none.stderr)")
    let dry = try await season("-n", "-s", "1", "series")
    #expect(dry.status == 0 && !dry.stderr.contains("finished:"), "\(dry.stderr)")
    let fetched = try await season("-a", "tr,en", "-o", "shelf", "series", "--", "--json")
    #expect(fetched.status == 0, "\(fetched.stderr)")
    #expect(fetched.lines.last?.contains(#""finished":2"#) == true, "\(fetched.stdout)")

    let found = try await tool.run(["search", "--json", "series"])
    let series = try #require(try jsonLines(found).first?["source"] as? String)
    let queued = try await SiloTestSupport.run(
      try productPath("queue-a-season"), [series, tool.folder.path("other")],
      environment: tool.environment, in: tool.folder.path)
    #expect(queued.status == 0 && queued.lines.first == "queued: 2", "\(queued.stdout)")
    #expect(queued.lines.contains { $0.contains(" of ") }, "\(queued.stdout)")

    server.signal(SIGTERM)
    _ = try await server.result()
    let listed = try await SiloTestSupport.run(
      try productPath("list-what-is-offline"), [], environment: tool.environment)
    #expect(listed.lines.count == 4, "\(listed.stdout)")
    #expect(listed.lines.allSatisfy { $0.hasSuffix("finished tr,en") }, "\(listed.stdout)")
  }
}
