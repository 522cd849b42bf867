import Foundation
import Glibc
import SiloStore
import SiloTestSupport
import Testing

/// The queue survives what happens to processes, and the library knows what came of it.
@Suite("Queue and library")
struct QueueTests {
  private static let film = Task { try await Film.padded(by: 2 << 20) }

  private func lines(_ tool: Tool, _ arguments: String...) async throws -> [[String: Any]] {
    try jsonLines(try await tool.run(arguments + ["--json"]))
  }

  @Test(
    "a queue that is killed in the middle goes on until every file is whole",
    .timeLimit(.minutes(5)))
  func killed() async throws {
    let bytes = try await Self.film.value
    let server = try FaultServer()
    let tool = try Tool()
    let sources = (1...4).map { server.url("/\($0).mkv") }
    // The first answers for a body stop in the middle: there the process is killed.
    server.onOthers { request, n in
      let answer = FaultAnswer.bytes(bytes).etag("one")
      return request.header("If-Range") == nil && n < 4 ? answer.stalling(after: 1 << 20) : answer
    }
    #expect(try await tool.run(["add", "-o", "out/"] + sources).status == 0)
    for kill in 1...3 {
      let count = server.requests.count
      let running = try tool.start(["queue", "run", "-c", "1"])
      await server.until { requests in
        requests.dropFirst(count).contains { $0.bytesSent >= 1 << 20 } || requests.count > count + 6
      }
      running.signal(SIGKILL)
      _ = try await running.result()
      let states = try await lines(tool, "queue").compactMap { $0["state"] as? String }
      #expect(states.count == 4 && !states.contains("failed"), "\(kill): \(states)")
    }
    server.onOthers { _, _ in .bytes(bytes).etag("one") }
    let result = try await tool.run(["queue", "run", "--json"])
    #expect(result.status == 0, "\(result.stderr)")
    for number in 1...4 { #expect(try tool.folder.read("out/\(number).mkv") == bytes) }
    let states = try await lines(tool, "queue").compactMap { $0["state"] as? String }
    #expect(states == ["finished", "finished", "finished", "finished"])
    #expect(try tool.leftovers().filter { $0.contains(".part") }.isEmpty)
    let library = try await lines(tool, "library")
    #expect(library.compactMap { $0["id"] as? String } == ["1", "2", "3", "4"])
  }

  @Test("a second process adds, lists and pauses, but does not run", .timeLimit(.minutes(5)))
  func processes() async throws {
    let bytes = try await Self.film.value
    let server = try FaultServer()
    server.on("/1.mkv") { _, _ in .bytes(bytes).etag("one").stalling(after: 1 << 20) }
    server.on("/2.mkv") { _, _ in .bytes(bytes).etag("one") }
    let tool = try Tool()
    #expect(try await tool.run(["add", "-o", "out/", server.url("/1.mkv")]).status == 0)
    let running = try tool.start(["queue", "run", "--json", "-c", "1"])
    _ = try await running.line { $0.contains("\"transferring\"") }
    #expect(try await tool.run(["queue", "run"]).status == 11)
    #expect(try await tool.run(["add", "-o", "out/", server.url("/2.mkv")]).status == 0)
    _ = try await running.line { $0.contains("\"finished\"") && $0.contains("\"id\":\"2\"") }
    #expect(try await tool.run(["queue", "pause", "1"]).status == 0)
    let result = try await running.result()
    #expect(result.status == 0, "\(result.stderr)")
    #expect(result.stdout.contains(#"{"event":"state","id":"1","state":"paused"}"#))
    #expect(try await lines(tool, "queue").first?["state"] as? String == "paused")
    #expect(try await tool.run(["queue", "cancel", "1"]).status == 0)
    #expect(try tool.leftovers() == ["out", "out/2.mkv"])
    let unknown = try await tool.run(["queue", "resume", "77"])
    #expect(unknown.status == 3)
    #expect(try await tool.run(["queue", "resume", "1"]).status == 2)
  }

  @Test("what get finished is in the library under the id of its events", .timeLimit(.minutes(5)))
  func library() async throws {
    let tool = try Tool()
    _ = try await Film.mkv.copy(to: tool.folder)
    let got = try jsonLines(
      try await tool.run([
        "--json", "--audio", "en,tr", "film.mkv", "-o", "shelf/Film (2024)/film.mkv",
      ]))
    let id = try #require(got.first { $0["event"] as? String == "finished" }?["id"] as? String)
    // Nothing of what follows needs a source, or a network.
    try FileManager.default.removeItem(atPath: tool.folder.path("film.mkv"))
    let shown = try #require(try await lines(tool, "library", "show", id).first)
    let audio = try #require(shown["audio"] as? [[String: Any]])
    #expect(audio.compactMap { $0["language"] as? String } == ["tr", "en"])
    #expect(audio.map { $0["default"] as? Bool } == [false, true])
    #expect(shown["id"] as? String == id && (shown["sha256"] as? String)?.count == 64)
    #expect(try await tool.run(["library", "verify"]).status == 0)
    let storage = try #require(try await lines(tool, "storage").first)
    #expect(storage["bytes"] as? Int ?? 0 > 0 && (storage["items"] as? [Any])?.count == 1)

    let path = tool.folder.path("shelf/Film (2024)/film.mkv")
    let handle = try FileHandle(forUpdating: URL(filePath: path))
    try handle.seek(toOffset: 100_000)
    try handle.write(contentsOf: Data([1, 2, 3, 4, 5, 6, 7, 8]))
    try handle.close()
    #expect(try await tool.run(["library", "verify", id]).status == 8)
    #expect(try await tool.run(["library", "remove", id]).status == 7)
    #expect(try await tool.run(["library", "remove", id, "--force"]).status == 0)
    #expect(try tool.leftovers() == [])
    #expect(try await lines(tool, "library").isEmpty)
    #expect(try await tool.run(["library", "show", id]).status == 3)
  }

  @Test(
    "a wish that needs a header says so, keeps no value, and runs with it", .timeLimit(.minutes(5)))
  func headers() async throws {
    let bytes = try await Self.film.value
    let server = try FaultServer()
    server.on("/a.mkv") { request, _ in
      request.header("X-Key") == "sesame" ? .bytes(bytes).etag("one") : .status(403)
    }
    let tool = try Tool()
    let key = ["--header", "X-Key: sesame"]
    let added = try await tool.run(["add", server.url("/a.mkv")] + key)
    #expect(added.status == 0 && added.stderr.contains("needs --header 'X-Key: ...'"))
    for name in try tool.folder.names() where name.contains("state.sqlite") {
      #expect(!String(decoding: try tool.folder.read(name), as: UTF8.self).contains("sesame"))
    }
    #expect(try await tool.run(["queue", "run"]).status == 0)
    #expect(server.requests.isEmpty)
    #expect(try await tool.run(["queue", "run"] + key).status == 2)
    #expect(try await tool.run(["queue", "run", "1"] + key).status == 0)
    #expect(try tool.folder.read("a.mkv") == bytes)
  }
}
