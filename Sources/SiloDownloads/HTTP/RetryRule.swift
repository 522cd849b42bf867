import SiloSystem

/// How often, and after which pause, a request is sent again.
///
/// Attempts without progress are counted. Progress are net new bytes: a body that is cut after the same few bytes over
/// and over does not reset the count, and each reset is worth at least `progressByteCount`, so the loop has an end.
struct RetryRule: Sendable {
  /// Attempts without progress before the request fails.
  let attempts: Int
  /// A Retry-After above this ends the request.
  let longestRetryAfter: Duration

  /// The furthest byte that any attempt reached.
  private var furthest: Int64 = 0
  /// Where the count was last reset.
  private var resetAt: Int64 = 0
  /// Attempts since.
  private(set) var failures = 0

  /// How many new bytes make up for the attempts before.
  static let progressByteCount: Int64 = 16 << 10
  static let shortestPause = Duration.milliseconds(250)
  static let longestPause = Duration.seconds(30)

  init(_ options: HTTPOptions) {
    attempts = max(1, options.attempts)
    longestRetryAfter = options.longestRetryAfter
  }

  /// What to do after a failed attempt.
  enum Verdict: Sendable, Hashable {
    case retry(after: Duration)
    case giveUp
    /// The server asked for a longer pause than is waited for.
    case tooLong(Duration)
  }

  /// Counts a failed attempt that had reached byte `end` of the whole.
  mutating func verdict(reaching end: Int64, retryAfter: Duration?, random: Double) -> Verdict {
    furthest = max(furthest, end)
    if furthest - resetAt >= Self.progressByteCount {
      resetAt = furthest
      failures = 0
    }
    failures += 1
    if let retryAfter, retryAfter > longestRetryAfter { return .tooLong(retryAfter) }
    if failures >= attempts { return .giveUp }
    if let retryAfter, retryAfter > .zero { return .retry(after: retryAfter) }
    return .retry(after: Self.pause(failures, random: random))
  }

  /// Doubles with each failure up to a bound; the upper half is left to chance, so that clients do not march in step.
  static func pause(_ failures: Int, random: Double) -> Duration {
    let doubled = shortestPause * (1 << min(max(failures - 1, 0), 10))
    return min(doubled, longestPause) * (0.5 + random / 2)
  }
}
