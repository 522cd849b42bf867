import Foundation
import SiloTestSupport
import Testing

/// Promise 6, for one file by several connections.
@Suite("Crashes of a file")
struct FileCrashTests {
  @Test(
    "ten SIGKILLs of a download by eight connections cost next to nothing",
    .timeLimit(.minutes(10)))
  func killed() async throws {
    let bytes = try await filled(to: 32 << 20)
    let server = try FaultServer()
    server.serve(bytes, at: "/film.mkv")
    // No connection is brought more than this, so that no run comes to the end before its kill.
    server.on("/film.mkv") { _, _ in
      .served.dripping(16 << 10, every: .milliseconds(10)).stalling(after: 2 << 20)
    }
    let tool = try Tool()
    var generator = SystemRandomNumberGenerator()
    var kills = 0
    var connections = 0
    while kills < 10 {
      let before = Self.fetchedByteCount(server)
      let target = Int64.random(in: 1 << 18...3 << 19, using: &generator)
      let command = try tool.start(["-c", "8", server.url("/film.mkv")])
      server.when {
        Self.fetchedByteCount($0) > before + target
      } act: {
        command.signal(SIGKILL)
      }
      let result = try await command.result()
      try #require(result.status == 128 + SIGKILL, "\(result.stderr)")
      kills += 1
      connections = max(connections, server.mostConnections)
    }
    server.on("/film.mkv") { _, _ in .served }
    let result = try await tool.run(["-c", "8", server.url("/film.mkv")])
    #expect(result.status == 0, "\(result.stderr)")
    #expect(try tool.folder.read("film.mkv") == bytes)
    #expect(try tool.leftovers() == ["film.mkv"])
    #expect(connections > 1)
    // Twice came only what was on its way to eight connections when a kill came.
    let fetched = Self.fetchedByteCount(server)
    let most = Int64(bytes.count) * 105 / 100 + Int64(kills * 8 * 64 << 10)
    #expect(fetched <= most, "\(fetched) of \(bytes.count)")
  }

  private static func fetchedByteCount(_ server: FaultServer) -> Int64 {
    fetchedByteCount(server.requests)
  }

  /// What the transfer was sent: the first answer, and what it asked for with a validator; looks into the file have none.
  private static func fetchedByteCount(_ requests: [FaultRequest]) -> Int64 {
    requests.filter { $0.status == 200 || $0.header("If-Range") != nil }
      .reduce(0) { $0 + $1.bytesSent }
  }

  /// The film and a Void element whose bytes are different everywhere.
  private func filled(to byteCount: Int) async throws -> [UInt8] {
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: try await Film.mkv.path())))
    let left = byteCount - bytes.count - 9
    bytes += [0xEC, 0x01] + (0..<7).reversed().map { UInt8(truncatingIfNeeded: left >> ($0 * 8)) }
    let pattern = (0..<4093).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ $0 >> 8) }
    var block = 0
    while bytes.count < byteCount {
      bytes += [UInt8(block & 0xFF), UInt8(block >> 8 & 0xFF), 0] + pattern
      block += 1
    }
    return Array(bytes.prefix(byteCount))
  }
}
