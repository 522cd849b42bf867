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
    let bytes = try await filled(to: 64 << 20)
    let server = try FaultServer()
    server.serve(bytes, at: "/film.mkv")
    // Slowly enough for a program that gets little of the processor: what it has not taken out of its sockets when the kill
    // comes counts as sent, and is no fault of the program's.
    server.on("/film.mkv") { _, _ in .served.dripping(4 << 10, every: .milliseconds(12)) }
    let tool = try Tool()
    var generator = SystemRandomNumberGenerator()
    var kills = 0
    var connections = 0
    while kills < 10 {
      let before = Self.fetchedByteCount(server.requests)
      // All of them together are less than the file: no run comes to the end before its kill.
      let target = Int64.random(in: 1 << 20...4 << 20, using: &generator)
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
    #expect(connections > 2)
    // Everything that was sent counts, whether or not it was received: the looks, and what was on its way when a kill came.
    let fetched = Self.fetchedByteCount(server.requests)
    #expect(fetched <= Int64(bytes.count) * 105 / 100, "\(fetched) of \(bytes.count)")
    let looks = server.requests.filter { $0.header("If-Range") == nil && $0.header("Range") != nil }
    #expect(
      looks.map { $0.header("Range") }
        == ["bytes=0-393215"] + Array(repeating: "bytes=0-1023", count: kills))
  }

  private static func fetchedByteCount(_ requests: [FaultRequest]) -> Int64 {
    requests.reduce(0) { $0 + $1.bytesSent }
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
