import Foundation
import SiloTestSupport
import Synchronization
import Testing

/// A row of a server is what its manifest says, at one revision: bytes of two are never in one file.
@Suite("A registered row", .timeLimit(.minutes(5)))
struct RegisteredRowTests {
  let tool: Tool
  let silo: ScriptedRows
  let films: TwoFilms

  init() async throws {
    (tool, silo) = (try Tool(), try ScriptedRows())
    films = try await TwoFilms()
    silo.addFilm("film", file: 1, .init(films.first))
    try await tool.signIn(at: silo.url, key: "sa_ada")
  }

  private func get(_ words: String...) async throws -> CommandResult {
    try await tool.run(["get", "silo:film", "-o", "out.mkv", "-c", "1"] + words)
  }

  /// The first transfer ends after 500,000 bytes, with an entity tag that says nothing; `then` is done, and decides on the rest.
  private func cutFirst(then: @escaping @Sendable () -> FaultAnswer?) {
    let count = Mutex(0)
    silo.state.withLock {
      $0.fileAnswer = { [silo] row, request, _ in
        let bytes = silo.state.withLock { $0.versions[row.file]?.bytes ?? [] }
        let answer = FaultAnswer.bytes(bytes).etag("always").header(
          "Last-Modified", "Thu, 01 Jan 2026 00:00:00 GMT")
        let range = request.header("Range") ?? ""
        // A look has an end.
        guard range.isEmpty || range.hasSuffix("-") else { return answer }
        let n = count.withLock {
          $0 += 1
          return $0
        }
        if n == 1 { return answer.cut(after: 500_000) }
        let scripted = n == 2 ? then() : nil
        if let scripted { return scripted }
        let now = silo.state.withLock { $0.versions[row.file]?.bytes ?? [] }
        return FaultAnswer.bytes(now).etag("always").header(
          "Last-Modified", "Thu, 01 Jan 2026 00:00:00 GMT")
      }
    }
  }

  @Test("a file of another length than its manifest tells is refused before a byte is written")
  func length() async throws {
    let told = films.first.count + 10
    silo.state.withLock { $0.versions[1]?.toldByteCount = told }
    let result = try await get()
    #expect(result.status == 8)
    #expect(
      result.stderr.contains("\(told)") && result.stderr.contains("\(films.first.count)"),
      "\(result.stderr)")
    #expect(tool.bytes("out.mkv") == nil)
    #expect((tool.bytes("out.mkv.part")?.count ?? 0) == 0)
  }

  @Test(
    "a partial of one revision is never continued by the next, whatever tag, date and length say")
  func revisions() async throws {
    cutFirst { .status(503) }
    let first = try await get("--retry", "1")
    #expect(first.status == 5, "\(first.stderr)")
    #expect(tool.bytes("out.mkv.part")?.count ?? 0 >= 500_000)
    silo.replace(file: 1, by: .init(films.second))
    silo.change(try #require(silo.rows.first).id) { $0.revision = 2 }
    silo.server.forgetRequests()
    let second = try await get()
    #expect(second.status == 0, "\(second.stderr)")
    #expect(tool.has("out.mkv", films.second))
    let continued = silo.server.requests.filter {
      $0.path.hasSuffix("/file") && $0.header("Range")?.hasPrefix("bytes=500") == true
    }
    #expect(continued.isEmpty)
  }

  @Test("a revision that rises in mid-transfer begins the item anew, once, in the same run")
  func risingRevision() async throws {
    cutFirst { [silo, films] in
      silo.replace(file: 1, by: .init(films.second))
      for row in silo.rows { silo.change(row.id) { $0.revision = 2 } }
      return nil
    }
    let result = try await get()
    #expect(result.status == 0, "\(result.stderr)")
    #expect(tool.has("out.mkv", films.second))
    #expect(silo.rows.map(\.status) == ["completed"])
    #expect(result.stderr.contains("fetched anew"), "\(result.stderr)")
  }

  @Test("a file that changes before its server has seen that is asked for again until it has")
  func lateServer() async throws {
    let longer = films.second + [0xEC, 0x88, 0, 0, 0, 0, 0, 0, 0, 0]
    let registrations = Mutex(0)
    silo.state.withLock { [films] in
      $0.onRegister = { state in
        let n = registrations.withLock {
          $0 += 1
          return $0
        }
        // The first two know nothing of it yet.
        state.versions[1]?.toldByteCount = n < 3 ? films.first.count : longer.count
      }
    }
    let count = Mutex(0)
    silo.state.withLock { [films] in
      $0.fileAnswer = { _, request, _ in
        let n = count.withLock {
          $0 += request.header("Range")?.hasSuffix("-") ?? true ? 1 : 0
          return $0
        }
        guard n > 1 else { return n == 0 ? nil : .bytes(films.first).cut(after: 700_000) }
        return .bytes(longer)
      }
    }
    let result = try await get("--poll", "1")
    #expect(result.status == 0, "\(result.stderr)")
    #expect(tool.has("out.mkv", longer))
    #expect(registrations.withLock { $0 } == 3)
    #expect(silo.rows.map(\.revision) == [2])
  }

  @Test(
    "what cannot be met is found before anything is registered",
    arguments: [
      (["--audio", "fr", "--require-audio"], Int32(3)), (["--audio-track", "a9"], Int32(3)),
      (["--max-size", "1K"], Int32(9)),
    ] as [([String], Int32)])
  func wishes(words: [String], status: Int32) async throws {
    let result = try await tool.run(["get", "silo:film", "-o", "out.mkv"] + words)
    #expect(result.status == status, "\(result.stderr)")
    #expect(silo.rows.isEmpty)
    #expect(!silo.calls.contains("POST /api/v1/downloads"))
  }

  @Test("a wish that can be met costs one look more, and the row is registered")
  func fulfilledWish() async throws {
    let result = try await tool.run([
      "get", "silo:film", "-o", "out.mkv", "--audio", "tr", "--require-audio",
    ])
    #expect(result.status == 0, "\(result.stderr)")
    #expect(silo.rows.map(\.status) == ["completed"])
  }
}
