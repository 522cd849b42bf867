import Foundation
import SiloMedia
import SiloSystem
import SiloTestSupport
import Synchronization
import Testing

@testable import SiloDownloads

@Suite struct PlaylistCompletionTests {
  private static func text(
    _ target: Int, _ count: Int, seconds: Int = 4, ended: Bool = false
  ) -> String {
    let segments = (0..<count).map { "#EXTINF:\(seconds),\n\($0).ts\n" }.joined()
    return "#EXTM3U\n#EXT-X-TARGETDURATION:\(target)\n\(segments)"
      + (ended ? "#EXT-X-ENDLIST\n" : "")
  }

  /// A clock that only the pauses move.
  private final class Clock: Sendable {
    let pauses = Mutex<[Duration]>([])

    var waiting: Waiting {
      Waiting(
        now: { self.pauses.withLock { $0.reduce(.zero, +) } },
        sleep: { time in self.pauses.withLock { $0.append(time) } })
    }
  }

  private func complete(
    _ clock: Clock, target: Int, _ script: @escaping @Sendable (Int) -> String
  ) async throws -> (segments: Int, warnings: Int) {
    let server = try FaultServer()
    server.on("/live.m3u8") { _, n in .text(script(n)) }
    let url = try #require(URL(string: server.url("/live.m3u8")))
    guard case .media(let first) = try Playlist.parse(Array(Self.text(target, 1).utf8), url: url)
    else { return (0, 0) }
    let completion = PlaylistCompletion(
      reader: DocumentReader(client: HTTPClient(HTTPOptions())), waiting: clock.waiting)
    let warnings = Mutex(0)
    let found = try await completion.complete(HLSPresentation(first), [0]) { _ in
      warnings.withLock { $0 += 1 }
    }
    return (found.first?.playlist.segments.count ?? 0, warnings.withLock { $0 })
  }

  @Test func `a playlist that does not grow is complete, however long a target it claims`()
    async throws
  {
    for target in [4, 99_999] {
      let clock = Clock()
      let found = try await complete(clock, target: target) { Self.text(target, min($0, 2) + 1) }
      #expect(found.segments == 3 && found.warnings == 2)
      #expect(clock.pauses.withLock { $0 } == Array(repeating: .seconds(4), count: 4))
    }
  }

  @Test func `a playlist that ends while it is read is complete`() async throws {
    let found = try await complete(Clock(), target: 4) { Self.text(4, $0 + 1, ended: $0 == 3) }
    #expect(found.segments == 4 && found.warnings == 1)
  }

  @Test(.timeLimit(.minutes(5))) func `a playlist that grows for ever is left after an hour`()
    async throws
  {
    let clock = Clock()
    let error = await #expect(throws: DownloadError.self) {
      try await complete(clock, target: 99) { Self.text(99, $0 + 1, seconds: 99) }
    }
    #expect(error?.code == .temporary && error?.message.contains("live") == true)
    #expect((Duration.seconds(3600)...Duration.seconds(3660)).contains(clock.waiting.now()))
  }
}
