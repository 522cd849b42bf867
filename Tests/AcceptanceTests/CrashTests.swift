import Foundation
import SiloTestSupport
import Synchronization
import Testing

/// Promise 6: a crash costs little.
@Suite("Crashes")
struct CrashTests {
  @Test(
    "ten SIGKILLs at random moments of an HLS download end in the file of a straight run",
    .timeLimit(.minutes(10)))
  func killed() async throws {
    let hls = try await HLSFixture.make(HLSRecipe(.ts, cipher: .implicitVector, segmentsPerKey: 2))
    let straight = try Tool()
    let quiet = try FaultServer()
    quiet.serve(hls.folder)
    let arguments = ["--audio", "tr,en,de", "-o", "out.mkv"]
    let first = try await straight.run(arguments + [quiet.url("/master.m3u8")])
    try #require(first.status == 0, "\(first.stderr)")

    let server = try FaultServer()
    server.serve(hls.folder)
    let executioner = Executioner()
    server.onOthers { request, _ in
      executioner.count()
      return request.path.hasSuffix(".ts") ? .served.delayed(by: .milliseconds(20)) : .served
    }
    let tool = try Tool()
    let url = server.url("/master.m3u8")
    var generator = SystemRandomNumberGenerator()
    var kills = 0
    var most = 0
    for attempt in 0..<60 {
      let journalled = try journalledPaths(in: tool.folder)
      most = max(most, journalled.count)
      server.forgetRequests()
      // About a dozen requests look into it; after that, two segments at a time.
      executioner.arm(after: kills < 10 ? Int.random(in: 8...30, using: &generator) : .max)
      let command = try tool.start(arguments + ["-c", "1", url])
      executioner.take(command)
      let result = try await command.result()
      if result.status == 128 + SIGKILL { kills += 1 }
      let segments = server.requests.map(\.path).filter { $0.hasSuffix(".ts") }
      for path in segments {
        #expect(!journalled.contains(path), "\(path) again, attempt \(attempt)")
      }
      guard FileManager.default.fileExists(atPath: tool.folder.path("out.mkv")) else { continue }
      #expect(try tool.folder.read("out.mkv") == (try straight.folder.read("out.mkv")))
      if kills == 10, result.status == 0 { break }
      // It was done before its time to be killed had come: once more from the start.
      for name in try tool.folder.names() {
        try? FileManager.default.removeItem(atPath: tool.folder.path(name))
      }
    }
    #expect(kills == 10)
    // Without a kill after something was journalled, nothing was tried.
    #expect(most > 0)
    #expect(try tool.leftovers() == ["out.mkv"])
    #expect(try tool.folder.read("out.mkv") == (try straight.folder.read("out.mkv")))
  }

  /// The URL paths of the segments that the journal vouches for; without init sections, part n is segment n.
  private func journalledPaths(in folder: TemporaryFolder) throws -> Set<String> {
    let folders = ["r0": "video-high", "r1": "tr", "r2": "en", "r3": "de"]
    let parts = try JournalReader.parts(of: folder.path("out.mkv.parts"))
    return Set(
      parts.flatMap { name, positions in
        positions.compactMap { position in folders[name].map { "/\($0)/seg\(position).ts" } }
      })
  }
}

/// Kills a command when a server was asked so many things.
private final class Executioner: Sendable {
  private struct State {
    var left = Int.max
    var command: RunningCommand?
  }

  private let state = Mutex(State())

  /// Begins to count.
  func arm(after count: Int) { state.withLock { $0 = State(left: count) } }

  /// The one to kill; at once when the count is reached already.
  func take(_ command: RunningCommand) {
    state.withLock { state in
      state.command = command
      if state.left <= 0 { command.signal(SIGKILL) }
    }
  }

  /// One thing was asked.
  func count() {
    state.withLock { state in
      guard state.left != .max else { return }
      state.left -= 1
      if state.left == 0 { state.command?.signal(SIGKILL) }
    }
  }
}
