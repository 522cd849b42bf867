import Foundation
import SiloDownloads
import SiloSystem
import Synchronization
import Testing

/// Records pauses instead of waiting.
final class Pauses: Sendable {
  private let list = Mutex<[Duration]>([])

  var all: [Duration] { list.withLock { $0 } }

  var waiting: Waiting {
    Waiting(
      now: Waiting.system.now,
      sleep: { time in
        try Task.checkCancellation()
        self.list.withLock { $0.append(time) }
      },
      random: { 0 })
  }
}

/// Gathers a body and continues where the last attempt ended, like a transfer into a file.
final class GatheringSink: HTTPBodySink {
  private let state = Mutex<(bytes: [UInt8], heads: [Int])>(([], []))

  var bytes: [UInt8] { state.withLock { $0.bytes } }
  /// The statuses of the heads that were accepted.
  var statuses: [Int] { state.withLock { $0.heads } }

  func begin(_ head: HTTPResponseHead) throws {
    state.withLock {
      $0.heads.append(head.status)
      if head.status == 200 { $0.bytes = [] }
    }
  }

  func receive(_ bytes: RawSpan) throws {
    state.withLock { state in bytes.withUnsafeBytes { state.bytes.append(contentsOf: $0) } }
  }
}

/// Bytes that differ everywhere, so that a shifted or repeated piece shows.
func patternBytes(_ count: Int) -> [UInt8] {
  (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ ($0 >> 8) &* 7) }
}

/// The error of work that has to fail with a `DownloadError`.
func downloadError(_ work: () async throws -> Void) async throws -> DownloadError {
  do {
    try await work()
  } catch let error as DownloadError {
    return error
  }
  throw Missing()
}

struct Missing: Error {}
