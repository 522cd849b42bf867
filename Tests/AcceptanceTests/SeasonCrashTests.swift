import Foundation
import SiloTestSupport
import Synchronization
import Testing

/// Promise 6, for a season of a server; the long version is `Scripts/torture-season`.
@Suite("Crashes of a season", .timeLimit(.minutes(10)))
struct SeasonCrashTests {
  @Test(
    "six SIGKILLs of a queue with three at once: all is verified and confirmed, and next to nothing came twice"
  )
  func killed() async throws {
    let (tool, silo) = (try Tool(), try ScriptedRows())
    let film = try await TwoFilms().first
    // A kill costs each of the three a look at its file and what was not durable yet: much beside a smaller file.
    let episodes = (1...4).map { ScriptedRows.Version(Self.padded(film, to: 24 << 20, by: $0)) }
    silo.addSeries("dizi", episodes: episodes)
    silo.state.withLock {
      $0.fileAnswer = { [silo] row, _, _ in
        FaultAnswer.bytes(silo.state.withLock { $0.versions[row.file]?.bytes ?? [] })
          .dripping(8 << 10, every: .milliseconds(3))
      }
    }
    try await tool.signIn(at: silo.url, key: "sa_ada")
    let sources = (1...4).map { "silo:dizi/dizi-\($0)" }
    #expect(try await tool.run(["add"] + sources + ["-o", "Dizi/"]).status == 0)
    #expect(try await tool.run(["queue", "limit", "3"]).status == 0)
    var generator = SystemRandomNumberGenerator()
    for _ in 1...6 {
      let target = silo.fileByteCount + Int64.random(in: 2 << 20...6 << 20, using: &generator)
      let command = try tool.start(["queue", "run"])
      silo.server.when { requests in
        requests.reduce(0) { $0 + ($1.path.hasSuffix("/file") ? $1.bytesSent : 0) } > target
      } act: {
        command.signal(SIGKILL)
      }
      let result = try await command.result()
      try #require(result.status == 128 + SIGKILL, "\(result.stderr)")
    }
    silo.state.withLock { $0.fileAnswer = nil }
    let result = try await tool.run(["queue", "run"])
    #expect(result.status == 0, "\(result.stderr)")
    try await Self.check(tool, episodes.map(\.bytes))
    #expect(silo.rows.map(\.status) == Array(repeating: "completed", count: 4))
    let total = episodes.reduce(0) { $0 + $1.bytes.count }
    #expect(silo.fileByteCount <= Int64(total) * 105 / 100, "\(silo.fileByteCount) of \(total)")
  }

  @Test(
    "a server that is killed and comes back while the queue runs: all is verified and confirmed")
  func killedServer() async throws {
    let (tool, media) = (try Tool(), try TemporaryFolder())
    let film = try await TwoFilms().first
    let episodes = (1...3).map { Self.padded(film, to: 6 << 20, by: $0) }
    for (index, bytes) in episodes.enumerated() {
      let name = "Dizi (2020)/Season 01/Dizi S01E0\(index + 1).mkv"
      try Data(bytes).write(to: URL(filePath: try media.write(name, "")))
    }
    var words = [
      "serve", media.path, "--listen", "127.0.0.1:0", "--json", "--data", tool.folder.path("data"),
    ]
    var server = try tool.start(words)
    let line = try await server.line { $0.contains("listening") }
    let listening = try #require(
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    let url = try #require(listening["url"] as? String)
    words[3] = String(url.dropFirst("http://".count))
    let key = try String(
      contentsOfFile: try #require(listening["api_key_file"] as? String), encoding: .utf8)
    try await tool.signIn(at: url, key: key)
    let found = try jsonLines(try await tool.run(["search", "--json", "dizi"]))
    let series = try #require(found.first?["source"] as? String)
    let look = try jsonLines(try await tool.run(["season", series, "--dry-run", "--json"]))
    let sources = look.filter { $0["event"] as? String == "inventory" }.compactMap {
      $0["source"] as? String
    }
    #expect(sources.count == 3)
    #expect(try await tool.run(["add"] + sources + ["-o", "Dizi/"]).status == 0)
    #expect(try await tool.run(["queue", "limit", "3"]).status == 0)
    let command = try tool.start(["queue", "run", "--json", "--limit-rate", "3M"])
    for bytes in ["1", "2"] {
      // In the middle, after so many MB of one of them.
      _ = try await command.line { $0.contains("\"bytes\":\(bytes)") && $0.contains("progress") }
      server.signal(SIGKILL)
      _ = try await server.result()
      server = try tool.start(words)
      _ = try await server.line { $0.contains("listening") }
    }
    let result = try await command.result()
    #expect(result.status == 0, "\(result.stderr)")
    try await Self.check(tool, episodes)
    let rows = try await tool.rows()
    #expect(rows == Array(repeating: "completed", count: 3))
    server.signal(SIGTERM)
  }

  /// A film that is longer by bytes that differ from one episode to the next.
  static func padded(_ film: [UInt8], to byteCount: Int, by seed: Int) -> [UInt8] {
    var bytes = film
    let left = byteCount - film.count - 9
    bytes += [0xEC, 0x01] + (0..<7).reversed().map { UInt8(truncatingIfNeeded: left >> ($0 * 8)) }
    let pattern = (0..<4093).map { UInt8(truncatingIfNeeded: $0 &* (37 + seed) &+ $0 >> 8) }
    while bytes.count < byteCount { bytes += pattern }
    return Array(bytes.prefix(byteCount))
  }

  private static func check(_ tool: Tool, _ episodes: [[UInt8]]) async throws {
    let entries = try jsonLines(try await tool.run(["library", "--json"]))
    #expect(entries.count == episodes.count)
    let files = entries.compactMap { $0["path"] as? String }
      .compactMap { FileManager.default.contents(atPath: $0).map(Array.init) }
    let isSame = Set(files) == Set(episodes)
    #expect(isSame)
    #expect(try await tool.run(["library", "verify"]).status == 0)
    #expect(try tool.leftovers().filter { $0.contains(".part") }.isEmpty)
  }
}
