import Foundation
import SiloMedia
import SiloTestSupport
import Synchronization
import Testing

/// What a server and the library know of one item stays together: revisions, what was told, rows that are gone.
@Suite("An item that a server knows", .timeLimit(.minutes(5)))
struct ManagedItemTests {
  let tool: Tool
  let silo: ScriptedRows
  let films: TwoFilms

  init() async throws {
    (tool, silo) = (try Tool(), try ScriptedRows())
    films = try await TwoFilms()
    silo.addFilm("film", file: 1, Self.version(films.first))
    try await tool.signIn(at: silo.url, key: "sa_ada")
  }

  private static func version(_ bytes: [UInt8]) -> ScriptedRows.Version {
    var version = ScriptedRows.Version(bytes)
    version.hash = OpenSubtitlesHash.of(byteCount: Int64(bytes.count)) { offset, count in
      Array(bytes[Int(offset)..<Int(offset) + count])
    }
    return version
  }

  private func get(_ words: String...) async throws -> CommandResult {
    try await tool.run(["get", "silo:film", "-o", "out.mkv"] + words)
  }

  private func id() async throws -> String {
    let list = try jsonLines(try await tool.run(["library", "--json"]))
    return try #require(list.first?["id"] as? String)
  }

  @Test(
    "a finished item whose revision rose is fetched again, and replaced when the new one is verified"
  )
  func risenRevision() async throws {
    #expect(try await get().status == 0)
    let path = tool.folder.path("out.mkv")
    let wasWhole = Mutex<[Bool]>([])
    silo.replace(file: 1, by: Self.version(films.second))
    silo.change(try #require(silo.rows.first).id) { $0.revision = 2 }
    silo.state.withLock {
      $0.fileAnswer = { [films] _, _, _ in
        let isWhole = FileManager.default.contents(atPath: path).map(Array.init) == films.first
        wasWhole.withLock { $0.append(isWhole) }
        return nil
      }
    }
    let again = try await get()
    #expect(again.status == 0, "\(again.stderr)")
    #expect(tool.has("out.mkv", films.second))
    #expect(wasWhole.withLock { !$0.isEmpty && $0.allSatisfy(\.self) })
    #expect(silo.rows.map(\.status) == ["completed"])
    #expect(try await tool.run(["library", "verify"]).status == 0)
    #expect(try await get().stdout.isEmpty)
    #expect(try tool.media() == ["out.mkv"])
  }

  @Test("a new revision that cannot be verified leaves the old file as it was")
  func brokenRevision() async throws {
    #expect(try await get().status == 0)
    var broken = Self.version(films.second)
    broken.bytes.removeLast(1000)
    silo.replace(file: 1, by: broken)
    let again = try await get()
    #expect(again.status == 8, "\(again.stderr)")
    #expect(silo.rows.map(\.revision) == [2])
    #expect(tool.has("out.mkv", films.first))
    #expect(try await tool.run(["library", "verify"]).status == 0)
  }

  @Test(
    "a kill between the record of a new revision and its name costs nothing, and the next run goes on"
  )
  func killedReplacement() async throws {
    #expect(try await get().status == 0)
    silo.replace(file: 1, by: Self.version(films.second))
    silo.change(try #require(silo.rows.first).id) { $0.revision = 2 }
    let fault = SystemFault(at: 1, .killBefore, of: [.rename], by: [.program])
    let log = try TemporaryFolder()
    let killed = try await tool.start(
      ["get", "silo:film", "-o", "out.mkv"],
      try fault.environment(below: tool.folder.path, log: log.path("calls"))
    ).result()
    #expect(killed.status == 128 + SIGKILL, "\(killed.stderr)")
    #expect(tool.has("out.mkv", films.first))
    silo.server.forgetRequests()
    let again = try await get()
    #expect(again.status == 0, "\(again.stderr)")
    #expect(tool.has("out.mkv", films.second))
    #expect(silo.rows.map(\.status) == ["completed"])
  }

  @Test("a file of somebody else in that place is not replaced by a new revision")
  func foreignFile() async throws {
    #expect(try await get().status == 0)
    try tool.folder.write("out.mkv", "mine")
    silo.change(try #require(silo.rows.first).id) { $0.revision = 2 }
    #expect(try await get().status == 7)
    #expect(try tool.folder.read("out.mkv") == Array("mine".utf8))
  }

  @Test("that a file is finished is told by the next command that reaches the server")
  func untold() async throws {
    silo.state.withLock { $0.isDeaf = true }
    let result = try await get("--retry", "1")
    #expect(result.status == 0 && result.stderr.contains("was not told"), "\(result.stderr)")
    #expect(silo.rows.map(\.status) == ["ready"])
    silo.state.withLock { $0.isDeaf = false }
    silo.server.forgetRequests()
    #expect(try await tool.run(["search", "x"]).status == 0)
    #expect(silo.rows.map(\.status) == ["completed"])
    #expect(try await tool.run(["search", "x"]).status == 0)
    #expect(silo.confirmations.count == 1)
  }

  @Test("a row that is revoked leaves the finished file, and that is said once")
  func revoked() async throws {
    #expect(try await get().status == 0)
    silo.change(try #require(silo.rows.first).id) { $0.status = "revoked" }
    for said in [true, false] {
      silo.server.forgetRequests()
      let again = try await get()
      #expect(again.status == 0, "\(again.stderr)")
      #expect(again.stderr.contains("gives this download out no more") == said)
      #expect(!silo.calls.contains("POST /api/v1/downloads"))
    }
    #expect(tool.has("out.mkv", films.first))
    #expect(try await tool.run(["library", "verify"]).status == 0)
  }

  @Test("a row that has vanished is registered again without a byte, and that is said once")
  func vanished() async throws {
    #expect(try await get().status == 0)
    silo.state.withLock { $0.rows = [:] }
    for said in [true, false] {
      silo.server.forgetRequests()
      let again = try await get()
      #expect(again.status == 0, "\(again.stderr)")
      #expect(again.stderr.contains("had removed this download") == said, "\(again.stderr)")
      #expect(silo.transferCount == 0)
    }
    #expect(tool.has("out.mkv", films.first))
    #expect(silo.rows.map(\.status) == ["completed"])
  }

  @Test("what is removed here is removed there: at once, or when the server is reached again")
  func removal() async throws {
    #expect(try await get().status == 0)
    let removal = try await tool.run(["library", "remove", try await id()])
    #expect(removal.status == 0, "\(removal.stderr)")
    #expect(silo.rows.isEmpty)
    #expect(try await get().status == 0)
    silo.state.withLock { $0.isDeaf = true }
    #expect(try await tool.run(["library", "remove", try await id()]).status == 0)
    #expect(try tool.leftovers().isEmpty)
    #expect(silo.rows.count == 1)
    // It is wanted again before anybody heard of the removal: then it stays.
    #expect(try await get("--retry", "1").status == 0)
    silo.state.withLock { $0.isDeaf = false }
    #expect(try await tool.run(["search", "x"]).status == 0)
    #expect(silo.rows.map(\.status) == ["completed"])
    #expect(tool.has("out.mkv", films.first))
  }

  @Test(
    "with nobody signed in a removal waits, is told at logout, and reaches the server only by its own account"
  )
  func queuedRemoval() async throws {
    #expect(try await get().status == 0)
    let item = try await id()
    silo.state.withLock { $0.isDeaf = true }
    #expect(try await tool.run(["library", "remove", item]).status == 0)
    let logout = try await tool.run(["logout"])
    #expect(logout.stderr.contains("1 download that was removed here"), "\(logout.stderr)")
    silo.state.withLock { $0.isDeaf = false }
    let others: [(String, String?)] = [("sa_bob", nil), ("sa_ada", "ada2")]
    for (key, profile) in others {
      try await tool.signIn(at: silo.url, key: key, profile: profile)
      #expect(try await tool.run(["search", "x"]).status == 0)
      #expect(silo.rows.count == 1, "\(key)")
    }
    try await tool.signIn(at: silo.url, key: "sa_ada", profile: "ada1")
    #expect(try await tool.run(["search", "x"]).status == 0)
    #expect(silo.rows.isEmpty)
  }

  @Test(
    "the device stays through a logout, and a row of a lost device is given up for the new one's")
  func devices() async throws {
    #expect(try await get().status == 0)
    #expect(try await tool.run(["logout"]).status == 0)
    try await tool.signIn(at: silo.url, key: "sa_ada")
    #expect(try await get().status == 0)
    #expect(silo.rows.count == 1 && silo.state.withLock { $0.lastID } == 1001)
    try FileManager.default.removeItem(atPath: tool.folder.path("config/silo-fetch"))
    try await tool.signIn(at: silo.url, key: "sa_ada")
    silo.server.forgetRequests()
    #expect(try await get().status == 0)
    #expect(silo.transferCount == 0)
    #expect(silo.rows.count == 2)
    #expect(try await tool.run(["search", "x"]).status == 0)
    #expect(silo.rows.map(\.status) == ["completed"])
    #expect(silo.rows.map(\.id) == ["1002"])
  }

  @Test("two files of one row: the server forgets it when the last of them is removed")
  func sharedRow() async throws {
    #expect(try await get().status == 0)
    let other = try await tool.run(["get", "silo:film", "-o", "tr.mkv", "--audio", "tr"])
    #expect(other.status == 0, "\(other.stderr)")
    let ids = try jsonLines(try await tool.run(["library", "--json"])).compactMap {
      $0["id"] as? String
    }
    #expect(ids.count == 2)
    for (index, id) in ids.enumerated() {
      #expect(try await tool.run(["library", "remove", id]).status == 0)
      #expect(silo.rows.count == 1 - index)
    }
  }

  @Test("an item that is given up is not left under way at the server")
  func cancelled() async throws {
    silo.state.withLock { $0.fileAnswer = { _, _, _ in .status(503) } }
    #expect(try await tool.run(["add", "silo:film", "-o", "out.mkv"]).status == 0)
    #expect(try await tool.run(["queue", "run", "--retry", "1"]).status != 0)
    #expect(silo.rows.count == 1)
    let item = try #require(
      try jsonLines(try await tool.run(["queue", "--json"])).first?["id"] as? String)
    #expect(try await tool.run(["queue", "cancel", item]).status == 0)
    #expect(silo.rows.isEmpty)
  }
}
