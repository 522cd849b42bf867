import Foundation
import SiloMedia
import SiloStore
import SiloSystem
import SiloTestSupport
import Synchronization
import Testing

@testable import SiloDownloads

@Suite("Pauses for space")
struct SpacePauseTests {
  /// A disk whose free bytes are those of the script, one for each look; the last stays.
  private final class Disk: Sendable {
    private let free: Mutex<[Int64]>
    init(_ free: [Int64]) { self.free = Mutex(free) }

    var fileSystem: FileSystem {
      free.withLock { list in
        let now = list.count > 1 ? list.removeFirst() : list[0]
        return FileSystem(device: 1, freeByteCount: now << 20, freeFileCount: nil)
      }
    }
  }

  private struct Outcome {
    var result: Result<Int, any Error>
    var pauses: [Duration]
    var events: [String]
  }

  /// Runs a step that fails so often, with a need of 10 MiB.
  private func run(
    _ policy: FullDiskPolicy, free: [Int64], failures: [any Error], bytes: [Int64] = []
  ) async throws -> Outcome {
    let disk = Disk(free)
    let owner = SpaceReservations { _ in disk.fileSystem }
    let need = SpaceReservations.Need(
      output: URL(filePath: "/none/film"), places: [], peakByteCount: 10 << 20)
    let pauses = Mutex<[Duration]>([])
    let events = Mutex<[String]>([])
    let attempts = Mutex(0)
    let pause = SpacePause(
      policy: policy, reservation: try await owner.reserve(need) { _ in },
      events: { event in
        events.withLock {
          switch event {
          case .spaceNeeded(let shortage):
            $0.append("space \(shortage.neededByteCount.map { $0 >> 20 } ?? -1)")
          case .phase(let phase): $0.append("\(phase)")
          case .progress(let progress): $0.append("\(progress.bytes)")
          default: $0.append("?")
          }
        }
      },
      waiting: Waiting(
        now: { .zero }, sleep: { time in pauses.withLock { $0.append(time) } }))
    let result: Result<Int, any Error>
    do {
      result = .success(
        try await pause.run { events in
          let attempt = attempts.withLock { count in
            defer { count += 1 }
            return count
          }
          if attempt < bytes.count { events(.progress(DownloadProgress(bytes: bytes[attempt]))) }
          if attempt < failures.count { throw failures[attempt] }
          return attempt
        })
    } catch { result = .failure(error) }
    return Outcome(
      result: result, pauses: pauses.withLock { $0 }, events: events.withLock { $0 })
  }

  private static let full = DownloadError(
    writing: SystemCallError(call: "pwrite", errno: ENOSPC, path: "/none/film.part"))
  private static let quota = DownloadError(
    part: "segment 3", of: "video", url: URL(filePath: "/none"),
    reason: DownloadError(writing: SystemCallError(call: "pwrite", errno: EDQUOT)))

  @Test("without patience a full disk is a failure at once")
  func fails() async throws {
    let outcome = try await run(.fail, free: [0], failures: [Self.full])
    #expect(throws: DownloadError.self) { try outcome.result.get() }
    #expect(outcome.pauses == [] && outcome.events == [])
  }

  @Test("it says once what is missing, looks every few seconds, and goes on when there is space")
  func waits() async throws {
    // One look to reserve, one when it failed, then one after each pause.
    let outcome = try await run(
      .wait(atMost: nil), free: [100, 1, 1, 1, 1, 1, 1, 10, 100], failures: [Self.full])
    #expect(try outcome.result.get() == 1)
    #expect(outcome.events == ["space 11", "waiting"])
    #expect(
      outcome.pauses == [
        .milliseconds(500), .seconds(1), .seconds(2), .seconds(4), .seconds(5), .seconds(5),
        .seconds(5),
      ])
  }

  @Test("patience ends, and starts anew when bytes arrived in between")
  func patience() async throws {
    let full = Array(repeating: Self.full as any Error, count: 100)
    var outcome = try await run(.wait(atMost: .seconds(20)), free: [100, 0], failures: full)
    #expect(throws: DownloadError.self) { try outcome.result.get() }
    #expect(outcome.pauses.reduce(.zero, +) <= .seconds(20))
    #expect(outcome.events == ["space 11", "waiting"])
    // Full though there is room: only another attempt tells, and the same patience counts over all of them.
    outcome = try await run(.wait(atMost: .seconds(20)), free: [100], failures: full)
    #expect(outcome.pauses.reduce(.zero, +) <= .seconds(20) && outcome.pauses.count == 5)
    #expect(outcome.events == ["space -1", "waiting"])
    outcome = try await run(
      .wait(atMost: .seconds(2)), free: [100], failures: full, bytes: [5, 8, 8, 3])
    #expect(outcome.pauses == [.milliseconds(500), .milliseconds(500), .seconds(1)])
    // Progress is never taken back.
    #expect(
      outcome.events == [
        "5", "space -1", "waiting", "8", "space -1", "waiting", "8",
        "8",
      ])
  }

  @Test(
    "a quota, a journal and a muxer that are full count; a server's quota and other failures do not"
  )
  func causes() async throws {
    let rows: [(any Error, Bool)] = [
      (Self.full, true), (Self.quota, true),
      (SystemCallError(call: "write", errno: ENOSPC), true),
      (MediaError(.noSpace, "full"), true),
      (
        MediaError(
          .inputOutput, "x", cause: SystemCallError(call: "write", errno: EDQUOT)), true
      ),
      (DownloadError(.space, "The server's quota is used up."), false),
      (MediaError(.overBudget, "too large"), false), (CancellationError(), false),
      (DownloadError(writing: SystemCallError(call: "pwrite", errno: EFBIG)), false),
      (DownloadError(.temporary, "x"), false),
    ]
    for (error, waits) in rows {
      let outcome = try await run(.wait(atMost: nil), free: [100, 0, 100], failures: [error])
      #expect((try? outcome.result.get()) == (waits ? 1 : nil), "\(error)")
      #expect(outcome.pauses.isEmpty == !waits)
    }
  }
}
