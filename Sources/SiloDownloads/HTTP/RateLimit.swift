import Synchronization

/// Bytes a second that all clients share whose options have it: copies of the options are of one limit.
public final class RateLimit: Sendable {
  /// Bytes a second.
  public let bytesPerSecond: Int64
  private let bucket = Mutex<RateBucket?>(nil)

  /// A limit of its own.
  public init(bytesPerSecond: Int64) {
    self.bytesPerSecond = max(1, bytesPerSecond)
  }

  /// Whether `byteCount` may pass at `now`.
  func admits(_ byteCount: Int, at now: Duration) -> Bool {
    withBucket(at: now) { $0.take(byteCount, at: now) }
  }

  /// How long from `now` until something passes.
  func wait(at now: Duration) -> Duration {
    withBucket(at: now) { $0.wait(at: now) }
  }

  /// The bucket is full when it is first asked.
  private func withBucket<Result: Sendable>(
    at now: Duration, _ body: (inout RateBucket) -> Result
  ) -> Result {
    bucket.withLock { stored in
      var bucket = stored ?? RateBucket(bytesPerSecond: bytesPerSecond, at: now)
      defer { stored = bucket }
      return body(&bucket)
    }
  }
}
