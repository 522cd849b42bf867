import SiloSystem
import Synchronization

/// Brings what was appended to spools to the disk, without occupying the shared pool.
enum SpoolSync {
  /// One spool: what is synced, and what there is.
  struct Pending: Sendable {
    var spool: SpoolFile
    var durable: Int64
    var end: Int64
  }

  /// Syncs on a thread of its own; `nil` when that failed, which the next write will tell about.
  @concurrent
  static func run(_ spools: [Pending]) async -> [Int64]? {
    try? await onOwnThread(named: "spool-sync") { _ in
      for pending in spools where pending.end > pending.durable {
        try pending.spool.descriptor.synchronizeBytes()
      }
      return spools.map(\.end)
    }
  }

  /// Syncs even in a task that was cancelled; `nil` when that failed, or the disk needs longer than `limit`.
  static func run(
    _ spools: [Pending], within limit: Duration, _ waiting: Waiting
  ) async -> [Int64]? {
    await withCheckedContinuation { continuation in
      let answer = FirstAnswer(continuation)
      // Tasks of their own: one that is cancelled cannot wait any more.
      let patience = Task {
        try? await waiting.sleep(limit)
        answer.resume(nil)
      }
      Task {
        answer.resume(await run(spools))
        patience.cancel()
      }
    }
  }
}

/// Resumes once, with whichever answer comes first.
private final class FirstAnswer: Sendable {
  private let continuation: Mutex<CheckedContinuation<[Int64]?, Never>?>

  init(_ continuation: CheckedContinuation<[Int64]?, Never>) {
    self.continuation = Mutex(continuation)
  }

  func resume(_ ends: [Int64]?) {
    let continuation = continuation.withLock { $0.take() }
    continuation?.resume(returning: ends)
  }
}
