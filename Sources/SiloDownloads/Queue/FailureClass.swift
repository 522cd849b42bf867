/// What the queue does about a failure.
enum FailureClass: Hashable, Sendable {
  /// Tried again by itself after a pause, a few times, and then by the next run.
  case temporary
  /// Left waiting for the next run: by then there may be space, or another process may have made the file.
  case blocked
  /// Left waiting: the worker was stopped, not the item.
  case interrupted
  /// Only the user can mend it, and says so with `retry`.
  case permanent

  /// The class of a failure.
  init(_ code: DownloadError.Code) {
    switch code {
    case .temporary: self = .temporary
    case .space, .locked: self = .blocked
    case .interrupted: self = .interrupted
    default: self = .permanent
    }
  }
}

/// When an item that failed is tried again (pure).
struct RetryPlan: Hashable, Sendable {
  /// What becomes of the item.
  enum Verdict: Hashable, Sendable {
    /// It waits, and may be taken again after the pause.
    case again(after: Duration)
    /// It waits for the next run.
    case nextRun
    /// It failed; whether the next run takes it up says `isTakenUp`.
    case failed
  }

  /// The failures in a row, without a byte between them, after which a temporary one ends the item for this run.
  static let most = 4
  /// The first pause; each one after it is twice as long.
  static let firstPause = Duration.seconds(2)
  /// The longest pause.
  static let longestPause = Duration.seconds(300)

  /// The verdict on a failure of class `failure` that is number `count` in a row, counted from 1.
  static func verdict(_ failure: FailureClass, count: Int) -> Verdict {
    switch failure {
    case .permanent: .failed
    case .blocked, .interrupted: .nextRun
    case .temporary: count > most ? .failed : .again(after: pause(after: count))
    }
  }

  /// Whether a run that begins takes up an item that failed of `failure`: an outage may be over, a refusal is none.
  static func isTakenUp(_ failure: QueueFailure, ofServer isOfServer: Bool) -> Bool {
    switch failure.code {
    // Whoever is signed in now may be let in where a sign-in had ended.
    case .auth: isOfServer
    default: failure.isWorthRetrying && FailureClass(failure.code) == .temporary
    }
  }

  /// The pause after failure number `count` in a row.
  static func pause(after count: Int) -> Duration {
    let doublings = min(max(count, 1) - 1, 20)
    return min(firstPause * (1 << doublings), longestPause)
  }
}
