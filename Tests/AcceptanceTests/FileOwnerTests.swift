import Foundation
import Glibc
import SiloTestSupport
import Testing

/// Nothing is removed, counted or listed for an item that did not make it.
@Suite("Whose files") struct FileOwnerTests {
  private static let films = Task { () -> [[UInt8]] in
    [try await Film.padded(by: 100_000), try await Film.padded(by: 2 << 20)]
  }

  private let tool: Tool
  private let server: FaultServer
  private let films: [[UInt8]]

  init() async throws {
    (tool, server) = (try Tool(), try FaultServer())
    films = try await Self.films.value
    for (number, bytes) in films.enumerated() {
      server.on("/\(number + 1).mkv") { _, _ in .bytes(bytes).etag("one") }
    }
  }

  private func source(_ number: Int) -> String { server.url("/\(number).mkv") }

  private func ids(_ command: String...) async throws -> [String] {
    try jsonLines(try await tool.run(command + ["--json"])).compactMap { $0["id"] as? String }
  }

  struct Row {
    var steps: [[String]]
    var codes: [Int32]
    /// The film that is there in the end, and the item that it is of.
    var film: Int
  }

  private static let rows = [
    // Another source has the name: its file is kept.
    Row(
      steps: [["get", "1"], ["add", "2"], ["queue", "run"], ["library", "remove", "#2"]],
      codes: [0, 0, 7, 0], film: 1),
    // What should have taken its place was damaged.
    Row(
      steps: [
        ["get", "1"],
        ["get", "2", "--overwrite", "--checksum", "sha256=" + String(repeating: "0", count: 64)],
        ["library", "remove", "#2"],
      ], codes: [0, 8, 0], film: 1),
    Row(
      steps: [["get", "1"], ["get", "2", "--overwrite"], ["library", "remove", "#1"]],
      codes: [0, 0, 0], film: 2),
  ]

  @Test(
    "an item whose download failed, or was replaced, has no part in the file at its path",
    .timeLimit(.minutes(5)),
    arguments: rows)
  func finished(_ row: Row) async throws {
    for (words, status) in zip(row.steps, row.codes) {
      var words = words.map { word in
        switch word {
        case "1", "2": source(word == "1" ? 1 : 2)
        case "#1", "#2": String(word.dropFirst())
        default: word
        }
      }
      if ["get", "add"].contains(words[0]) { words += ["-o", "d/x.mkv"] }
      let result = try await tool.run(words)
      #expect(result.status == status, "\(words): \(result.stderr)")
    }
    #expect(try tool.folder.read("d/x.mkv") == films[row.film - 1])
    #expect(try await ids("library") == ["\(row.film)"])
    #expect(try await tool.run(["library", "verify"]).status == 0)
  }

  @Test("what arrived of an item is not another's that waits for the same path")
  func unfinished() async throws {
    let bytes = films[1]
    server.on("/2.mkv") { _, _ in .bytes(bytes).etag("one").stalling(after: 1 << 20) }
    let running = try tool.start(["get", "-c", "1", source(2), "-o", "d/x.mkv"])
    await server.until { $0.contains { $0.bytesSent >= 1 << 20 } }
    running.signal(SIGINT)
    #expect(try await running.result().status == 130)
    let partial = try tool.folder.read("d/x.mkv.part")
    #expect(try await tool.run(["add", source(1), "-o", "d/x.mkv"]).status == 0)
    let storage = try #require(
      try jsonLines(try await tool.run(["storage", "--json"])).first)
    let items = try #require(storage["items"] as? [[String: Any]])
    #expect(items.compactMap { $0["id"] as? String } == ["1"])
    #expect((storage["orphans"] as? [Any])?.isEmpty == true)
    #expect(try await tool.run(["queue", "cancel", "2"]).status == 0)
    #expect(try tool.folder.read("d/x.mkv.part") == partial)
    #expect(try await tool.run(["queue", "remove", "2", "1"]).status == 0)
    #expect(try tool.leftovers().isEmpty)
  }

  @Test("of two sources with one name the finished one is skipped, and stays its item's")
  func beside() async throws {
    for (folder, bytes) in zip(["a", "b"], films) {
      server.on("/\(folder)/film.mkv") { _, _ in .bytes(bytes).etag("one") }
    }
    let first = server.url("/a/film.mkv")
    #expect(try await tool.run(["get", first, "-o", "d/"]).status == 0)
    let result = try await tool.run(
      ["get", "--json", "-j", "1", server.url("/b/film.mkv"), first, "-o", "d/"])
    let events = try jsonLines(result)
    #expect(events.contains { $0["event"] as? String == "skipped" }, "\(result.stdout)")
    #expect(events.filter { $0["event"] as? String == "failed" }.count == 1)
    #expect(try await ids("library") == ["1"])
    let failed = try jsonLines(try await tool.run(["queue", "--json"])).filter {
      $0["state"] as? String == "failed"
    }
    #expect(failed.compactMap { $0["id"] as? String } == ["2"])
  }

  @Test("a state that cannot be reached is told by every command that reads it")
  func unreachable() async throws {
    for words in [["queue"], ["library"], ["library", "verify"], ["storage"]] {
      let result = try await tool.start(words, ["SILO_FETCH_HOME": "/dev/null"]).result()
      #expect(result.status == 7 && result.stderr.contains("/dev/null"), "\(words)")
    }
    #expect(try await tool.run(["storage", "x"]).status == 2)
    #expect(try await tool.run(["queue", "remove"]).status == 2)
    #expect(try await tool.run(["queue", "remove", "--failed"]).status == 0)
  }

  @Test("what is done to a file is told in the same words by all")
  func words() async throws {
    #expect(try await tool.run(["get", source(1), "-o", "d/x.mkv"]).status == 0)
    let added = try await tool.run(["add", source(1), "-o", "d/x.mkv", "--audio", "fr"])
    #expect(added.status == 0 && added.stdout.contains("--overwrite"), "\(added.stdout)")
    #expect(try await tool.run(["queue", "run"]).status == 0)
    #expect(try await ids("library") == ["1"])
    let failed = try await tool.run(["library", "--json", "export", "/proc/x", "1"])
    #expect(failed.status == 7 && failed.stdout.contains(#""code":"config""#))
    try tool.folder.write("d/x.mkv", "mine")
    let again = try await tool.run(["get", source(1), "-o", "d/x.mkv"])
    #expect(again.status == 7 && again.stderr.contains("changed since"), "\(again.stderr)")
    #expect(try await tool.run(["library", "export", "stick", "1"]).status == 8)
    try FileManager.default.removeItem(atPath: tool.folder.path("d/x.mkv"))
    try tool.folder.write("d/x.mkv/mine.txt", "mine")
    #expect(try await tool.run(["library", "show", "1"]).status == 3)
    #expect(try await tool.run(["library", "verify", "1"]).status == 3)
    let removed = try await tool.run(["library", "remove", "1"])
    #expect(removed.status == 0 && removed.stderr.contains("kept"), "\(removed.stderr)")
    #expect(try tool.leftovers() == ["d", "d/x.mkv", "d/x.mkv/mine.txt"])
  }

  @Test("that the command afterwards failed is told, however quiet")
  func completion() async throws {
    for quiet in [["-q"], ["-q", "--json"]] {
      let tool = try Tool()
      let result = try await tool.run(
        ["get", source(1), "-o", "x.mkv", "--on-complete", "exit 3"] + quiet)
      #expect(result.status == 0 && result.stderr.contains("status 3"), "\(quiet)")
    }
  }
}
