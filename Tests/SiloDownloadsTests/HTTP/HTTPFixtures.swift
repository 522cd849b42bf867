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
///
/// - Parameter count: At most 3,000,000.
func patternBytes(_ count: Int) -> [UInt8] { Array(pattern[..<count]) }

private let pattern: [UInt8] = {
  var bytes = [UInt8](repeating: 0, count: 3_000_000)
  bytes.withUnsafeMutableBufferPointer { bytes in
    var index = 0
    while index < bytes.count {
      bytes[index] = UInt8(truncatingIfNeeded: index &* 31 &+ (index >> 8) &* 7)
      index += 1
    }
  }
  return bytes
}()

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
