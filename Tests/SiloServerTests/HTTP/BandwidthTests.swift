import Foundation
import SiloTestSupport
import Testing

@testable import SiloServer

/// The limits over real connections; how they are shared is told by `BandwidthShareTests`.
@Suite struct BandwidthTests {
  private static let content = (0..<1_500_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }

  /// Fetches at once, each with its token, and returns how long all of them took.
  private func seconds(_ served: SignedInServer, _ tokens: [String]) async throws -> Double {
    let clock = ContinuousClock.now
    try await withThrowingTaskGroup { group in
      for token in tokens {
        let url = served.server.url.absoluteString + "api/v1/direct-download?file_id=1"
        group.addTask {
          try await run("curl", ["-s", "-m", "100", "-H", "Authorization: Bearer \(token)", url])
        }
      }
      for try await result in group { #expect(result.output == Self.content) }
    }
    return Double((ContinuousClock.now - clock) / .seconds(1))
  }

  @Test func `All connections together take as long as the limit of the server wants`() async throws
  {
    let served = try await SignedInServer { $0.bandwidth.bytesPerSecond = 3_000_000 }
    try served.shelf.addFilm("film", file: 1, name: "film.mkv", Self.content)
    // 4.5 MB; a tenth of a second may be had in advance.
    #expect(try await seconds(served, [served.key, served.key, served.key]) > 1.35)
    // What is short is not held up, and neither is anybody who asks for it meanwhile.
    #expect(try await served.send("GET", "/auth/me").status == 200)
    await served.stop()
  }

  @Test func `An account has its limit for itself`() async throws {
    let first = try await SignedInServer()
    await first.stop()
    let served = try await SignedInServer(data: first.data) {
      ($0.account, $0.bandwidth.bytesPerSecondOfUser) = (("ayse", "gizli"), 3_000_000)
    }
    try served.shelf.addFilm("film", file: 1, name: "film.mkv", Self.content)
    let other = try await served.signIn("ayse", "gizli")
    #expect(try await seconds(served, [served.key, served.key]) > 0.85)
    // Two accounts with as much: each of them half a second, where one would need a whole one.
    #expect(try await seconds(served, [served.key, other]) > 0.35)
    await served.stop()
  }

  @Test func `A server that stops ends those who wait for their turn`() async throws {
    let served = try await SignedInServer { $0.bandwidth.bytesPerSecond = 1000 }
    try served.shelf.addFilm("film", file: 1, name: "film.mkv", Self.content)
    let curl = try RunningCommand(
      "curl",
      [
        "-s", "-o", "/dev/null", "-D", "/dev/stdout", "-H", "Authorization: Bearer \(served.key)",
        served.server.url.absoluteString + "api/v1/direct-download?file_id=1",
      ])
    _ = try await curl.line { $0.contains("200 OK") }
    await served.stop()
    #expect(try await curl.result().status == 18)
  }
}
