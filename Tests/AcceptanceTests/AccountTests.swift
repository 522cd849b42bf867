import Foundation
import SiloTestSupport
import Testing

/// Accounts, profiles and devices side by side: nobody sees, runs, removes or tells what is another's.
@Suite("Several accounts on one machine", .timeLimit(.minutes(5)))
struct AccountTests {
  /// Who there is: the key of the account and the profile.
  static let people = [
    ("sa_ada", "ada1"), ("sa_ada", "ada2"), ("sa_bob", "bob1"), ("sa_bob", "bob2"),
  ]

  let silo: ScriptedRows
  let films: TwoFilms

  init() async throws {
    silo = try ScriptedRows()
    films = try await TwoFilms()
    silo.addFilm("film", file: 1, .init(films.first))
  }

  private func ids(_ tool: Tool, _ command: String) async throws -> [String] {
    try jsonLines(try await tool.run([command, "--json"])).compactMap { $0["id"] as? String }
  }

  @Test(
    "two accounts with two profiles on two devices: each has its own row, item and file, and sees nothing else"
  )
  func matrix() async throws {
    let tools = [try Tool(), try Tool()]
    for tool in tools {
      for (key, profile) in Self.people {
        try await tool.signIn(at: silo.url, key: key, profile: profile)
        #expect(try await ids(tool, "library").isEmpty)
        let result = try await tool.run(["get", "silo:film", "-o", "\(profile).mkv"])
        #expect(result.status == 0, "\(profile): \(result.stderr)")
        #expect(try await ids(tool, "library").count == 1)
      }
    }
    #expect(silo.rows.count == 8)
    #expect(Set(silo.rows.map(\.owner)).count == 8)
    #expect(silo.rows.allSatisfy { $0.status == "completed" && $0.revision == 1 })
    // Every person's only item is removed by him alone.
    for (index, tool) in tools.enumerated() {
      for (place, (key, profile)) in Self.people.enumerated() {
        try await tool.signIn(at: silo.url, key: key, profile: profile)
        let item = try #require(try await ids(tool, "library").first)
        let (otherKey, other) = Self.people[(place + 1) % Self.people.count]
        try await tool.signIn(at: silo.url, key: otherKey, profile: other)
        for words in [
          ["library", "show", item], ["library", "remove", item], ["library", "verify", item],
          ["queue", "remove", item], ["queue", "retry", item], ["queue", "run", item],
        ] {
          #expect(try await tool.run(words).status == 3, "\(words)")
        }
        try await tool.signIn(at: silo.url, key: key, profile: profile)
        #expect(try await tool.run(["library", "remove", item]).status == 0)
        #expect(silo.rows.count == 8 - index * 4 - place - 1)
        #expect(!FileManager.default.fileExists(atPath: tool.folder.path("\(profile).mkv")))
      }
    }
  }

  @Test("the same place is not two people's: the second is refused, and the first one's file stays")
  func samePlace() async throws {
    let tool = try Tool()
    try await tool.signIn(at: silo.url, key: "sa_ada", profile: "ada1")
    #expect(try await tool.run(["get", "silo:film", "-o", "out.mkv"]).status == 0)
    try await tool.signIn(at: silo.url, key: "sa_bob", profile: "bob1")
    #expect(try await tool.run(["get", "silo:film", "-o", "out.mkv"]).status == 7)
    for item in try await ids(tool, "queue") {
      #expect(try await tool.run(["library", "remove", item]).status == 0)
    }
    #expect(tool.has("out.mkv", films.first))
    #expect(silo.rows.map { $0.owner[0] } == ["ada"])
  }

  @Test("a run of the queue leaves what is another's waiting, and its own is done")
  func queueRun() async throws {
    let tool = try Tool()
    for (key, profile) in Self.people {
      try await tool.signIn(at: silo.url, key: key, profile: profile)
      #expect(try await tool.run(["add", "silo:film", "-o", "\(profile).mkv"]).status == 0)
    }
    #expect(try await tool.run(["queue", "run"]).status == 0)
    #expect(silo.rows.map { $0.owner[1] } == ["p-bob-2"])
    #expect(try tool.media() == ["bob2.mkv"])
    #expect(try await tool.run(["logout"]).status == 0)
    let nobody = try await tool.run(["queue", "run"])
    #expect(nobody.status == 0 && nobody.stderr.contains("waits for its account"))
    #expect(silo.rows.count == 1)
    try await tool.signIn(at: silo.url, key: "sa_ada", profile: "ada1")
    #expect(try await tool.run(["queue", "run"]).status == 0)
    #expect(silo.rows.map { $0.owner[1] } == ["p-bob-2", "p-ada-1"])
  }

  @Test("without a server list, show, verify, storage and remove work, and ask nobody anything")
  func offline() async throws {
    let tool = try Tool()
    try await tool.signIn(at: silo.url, key: "sa_ada")
    #expect(try await tool.run(["get", "silo:film", "-o", "out.mkv"]).status == 0)
    let item = try #require(try await ids(tool, "library").first)
    let commands = [
      ["library"], ["library", "show", item], ["library", "verify"], ["storage"], ["queue"],
      ["status"],
    ]
    silo.server.forgetRequests()
    for words in commands { #expect(try await tool.run(words).status == 0, "\(words)") }
    #expect(silo.calls.isEmpty)
    silo.server.stop()
    for words in commands { #expect(try await tool.run(words).status == 0, "\(words)") }
    let removal = try await tool.run(["library", "remove", item])
    #expect(removal.status == 0, "\(removal.stderr)")
    #expect(try tool.leftovers().isEmpty)
  }

  @Test("adding an item of a server wants a sign-in")
  func nobody() async throws {
    let result = try await Tool().run(["add", "silo:film"])
    #expect(result.status == 4 && result.stderr.contains("login"), "\(result.stderr)")
  }
}
