import Foundation
import Glibc
import SiloTestSupport
import Synchronization
import Testing

/// What was interrupted by a person, a full disk, a sign-in that ended or a kill goes on when it is taken up again.
@Suite("Taken up again", .timeLimit(.minutes(5)))
struct TakenUpTests {
  let tool: Tool
  let silo: ScriptedRows
  let films: TwoFilms

  init() async throws {
    (tool, silo) = (try Tool(), try ScriptedRows())
    films = try await TwoFilms()
    silo.addFilm("film", file: 1, .init(films.first))
  }

  @Test("an item that is cancelled and retried is fetched by the run that goes on, by its new row")
  func cancelledAndRetried() async throws {
    try await tool.signIn(at: silo.url, key: "sa_ada")
    silo.addFilm("other", file: 2, .init(films.second))
    let bytes = films.first
    silo.state.withLock {
      $0.fileAnswer = { row, request, _ in
        let range = request.header("Range") ?? ""
        // The first row of the film, and the other one, never come to an end.
        guard row.id != "1003", range.isEmpty || range.hasSuffix("-") else { return nil }
        return .bytes(bytes).etag("one").stalling(after: 300_000)
      }
    }
    _ = try await tool.run(["add", "silo:film", "silo:other", "-o", "out/"])
    let running = try tool.start(["queue", "run", "--json", "-c", "1"])
    for id in ["1", "2"] {
      _ = try await running.line { $0.contains(#""id":"\#(id)","state":"transferring""#) }
    }
    #expect(silo.rows.map(\.id).sorted() == ["1001", "1002"])
    let first = try #require(silo.rows.first { $0.content == "film" }).id
    #expect(try await tool.run(["queue", "cancel", "1"]).status == 0)
    #expect(try await tool.run(["queue", "retry", "1"]).status == 0)
    let end = try await running.line {
      $0.contains(#""id":"1""#)
        && ($0.contains(#""event":"finished""#) || $0.contains(#""event":"failed""#))
    }
    #expect(end.contains(#""event":"finished""#), "\(end)")
    #expect(!silo.rows.contains { $0.id == first })
    _ = try await tool.run(["queue", "pause", "2"])
    #expect(try await running.result().status == 0)
  }

  @Test("what failed because a sign-in had ended is taken up by the next run after another one")
  func endedSignIn() async throws {
    try await tool.signIn(at: silo.url)
    _ = try await tool.run(["add", "silo:film", "-o", "out/"])
    silo.expire()
    silo.server.on("/api/v1/auth/refresh") { _, _ in ScriptedRows.refusal(401, "unauthorized") }
    #expect(try await tool.run(["queue", "run"]).status == 4)
    // Neither is it lost by a run of whoever is not let in yet.
    #expect(try await tool.run(["queue", "run"]).status == 4)
    try await tool.signIn(at: silo.url)
    let result = try await tool.run(["queue", "run", "--json"])
    #expect(result.status == 0 && result.stdout.contains(#""finished":1"#), "\(result.stdout)")
  }

  @Test("a full disk costs no sign-in: the token is not given away before another one can be kept")
  func fullDisk() async throws {
    try await tool.signIn(at: silo.url)
    let before = tool.bytes("config/silo-fetch/credentials.json")
    silo.expire()
    let (log, folder) = (try TemporaryFolder(), tool.folder.path("config"))
    let full = try SystemFault(at: 1, .error(ENOSPC), times: nil, of: [.write], by: [.program])
      .environment(below: folder, log: log.path("calls"))
    let refused = try await tool.start(["search", "film"], full).result()
    #expect(refused.status == 9 && refused.stderr.contains("the disk is full"), "\(refused.stderr)")
    #expect(silo.state.withLock { $0.renewals } == 0)
    #expect(tool.bytes("config/silo-fetch/credentials.json") == before)
    let again = try await tool.run(["search", "film"])
    #expect(again.status == 0, "\(again.stderr)")
    #expect(silo.state.withLock { $0.renewals } == 1)
  }

  @Test(
    "a kill while the files beside a new revision are named leaves none that counts as somebody else's",
    arguments: 1...4)
  func killedSideFiles(rename: Int) async throws {
    try await tool.signIn(at: silo.url, key: "sa_ada")
    let words = ["get", "silo:film", "-o", "out/"]
    #expect(try await tool.run(words).status == 0)
    silo.replace(file: 1, by: .init(films.second))
    silo.change(try #require(silo.rows.first).id) { $0.revision = 2 }
    let log = try TemporaryFolder()
    let fault = SystemFault(at: rename, .killBefore, of: [.rename], by: [.program])
    _ = try await tool.start(
      words, try fault.environment(below: tool.folder.path("out"), log: log.path("calls"))
    ).result()
    let again = try await tool.run(words)
    #expect(again.status == 0 && !again.stderr.contains("it is kept"), "\(again.stderr)")
    let manifests = try tool.folder.names().filter { $0.hasSuffix(".manifest.json") }
    let manifest = try #require(manifests.first.flatMap(tool.bytes))
    #expect(String(decoding: manifest, as: UTF8.self).contains(#""revision":2"#))
    #expect(try tool.folder.names().count { $0.hasSuffix(".nfo") } == 1)
    #expect(try await tool.run(["library", "remove", "1"]).status == 0)
    #expect(try tool.leftovers().filter { $0 != "out" } == [])
  }
}
