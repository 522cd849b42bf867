import Foundation
import SiloTestSupport
import Synchronization
import Testing

/// A season is registered by one call where there is nothing to choose, and every episode is an item of its own.
@Suite("A season of a server", .timeLimit(.minutes(5)))
struct SeasonTests {
  let tool: Tool
  let silo: ScriptedRows
  let film: [UInt8]

  init() async throws {
    (tool, silo) = (try Tool(), try ScriptedRows())
    film = try await TwoFilms().first
    silo.addSeries("dizi", episodes: [.init(film), .init(film), .init(film)])
    try await tool.signIn(at: silo.url, key: "sa_ada")
  }

  private func season(_ words: String...) async throws -> CommandResult {
    try await tool.run(["season", "silo:dizi", "--season", "1", "--json", "-o", "Dizi/"] + words)
  }

  private var batches: Int {
    silo.server.requests.count { $0.method == "POST" && $0.text.contains("\"series\":true") }
  }

  private var singles: Int {
    silo.server.requests.count {
      $0.method == "POST" && $0.path.hasSuffix("/downloads") && !$0.text.contains("\"series\"")
    }
  }

  private func finished(_ result: CommandResult) throws -> [Int?] {
    let summary = try jsonLines(result).last
    return ["finished", "skipped", "failed"].map { summary?[$0] as? Int }
  }

  @Test(
    "one call registers it, one describes it, and what the server skipped is named with its reason")
  func batch() async throws {
    // An episode without a file.
    silo.state.withLock {
      $0.items["dizi-4"] = []
      $0.series["dizi"]?.append("dizi-4")
    }
    let result = try await season("--audio", "tr")
    #expect(result.status == 0, "\(result.stderr)")
    #expect(try finished(result) == [3, 1, 0])
    #expect(
      result.stderr.contains("S01E04 T: skipped: the server has no file of it"), "\(result.stderr)")
    #expect(batches == 1 && singles == 0)
    #expect(silo.calls.count { $0.contains("/batches/") } == 1)
    // Once more for each, when all its bytes are there.
    #expect(silo.calls.count { $0.hasSuffix("/manifest") } == 3)
    #expect(Set(silo.rows.map(\.status)) == ["completed"])
    silo.server.forgetRequests()
    let again = try await season("--audio", "tr")
    #expect(again.status == 0 && silo.transferCount == 0, "\(again.stderr)")
    #expect(try finished(again) == [0, 4, 0])
    #expect(silo.rows.allSatisfy { $0.revision == 1 })
  }

  @Test(
    "where an episode has several versions each one is registered by itself, and stays at its revision"
  )
  func versions() async throws {
    silo.state.withLock {
      $0.versions[200] = .init(film, languages: ["fr"])
      $0.items["dizi-2"] = [200, 101]
    }
    for _ in 1...2 {
      let result = try await season("--audio", "tr")
      #expect(result.status == 0, "\(result.stderr)")
    }
    #expect(batches == 0 && singles == 6)
    #expect(silo.rows.allSatisfy { $0.revision == 1 && $0.file != 200 })
  }

  @Test("a batch that another download leaves no room for is registered one by one")
  func noRoom() async throws {
    silo.state.withLock { $0.refusesBatches = true }
    let result = try await season()
    #expect(result.status == 0, "\(result.stderr)")
    #expect(batches == 1 && singles == 3)
  }

  @Test("an episode that is given out no more is not registered with the others")
  func revoked() async throws {
    #expect(try await season().status == 0)
    silo.change(silo.rows[0].id) { $0.status = "revoked" }
    silo.server.forgetRequests()
    let again = try await season()
    #expect(again.status == 0, "\(again.stderr)")
    #expect(batches == 0 && silo.rows[0].status == "revoked")
  }

  @Test("an episode that fails does not stop the others")
  func failing() async throws {
    silo.state.withLock {
      $0.fileAnswer = { row, _, _ in row.episode == "dizi-2" ? .status(404) : nil }
    }
    let result = try await season()
    #expect(result.status == 1, "\(result.stderr)")
    #expect(try finished(result) == [2, 0, 1])
  }

  @Test(
    "another quality warns before a byte moves, is waited for, and lies beside no source's hash")
  func quality() async throws {
    silo.state.withLock { state in
      state.firstStatus = "preparing"
      state.versions[100]?.hash = "0000000000000000"
      let looks = Mutex(0)
      state.onList = { state in
        let count = looks.withLock {
          $0 += 1
          return $0
        }
        // What is prepared is shorter than its source.
        guard count == 2 else { return }
        for (id, row) in state.rows {
          state.rows[id]?.status = "ready"
          state.versions[row.file]?.hash = "0000000000000000"
        }
      }
    }
    let result = try await tool.run([
      "get", "silo:dizi/dizi-1", "--quality", "5mbps", "--poll", "1", "--json", "-o", "one.mkv",
    ])
    #expect(result.status == 0, "\(result.stderr) \(result.stdout)")
    let lines = try jsonLines(result)
    let warning = try #require(
      lines.firstIndex { ($0["message"] as? String)?.contains("one audio track") == true })
    let moving = try #require(lines.firstIndex { $0["state"] as? String == "transferring" })
    #expect(warning < moving)
    #expect(lines.contains { $0["state"] as? String == "waiting" })
    #expect(silo.rows.map(\.quality) == ["5mbps"])
    #expect(try await tool.run(["get", "silo:dizi", "--quality", "4mbps"]).status == 2)
  }

  @Test("a server that prepares nothing says so, with its own words")
  func unavailableQuality() async throws {
    silo.state.withLock { $0.refusesQualities = true }
    let result = try await tool.run([
      "get", "silo:dizi/dizi-1", "--quality", "5mbps", "-o", "one.mkv",
    ])
    #expect(result.status == 10, "\(result.stderr)")
    #expect(result.stderr.contains("The server says: no"), "\(result.stderr)")
  }
}
