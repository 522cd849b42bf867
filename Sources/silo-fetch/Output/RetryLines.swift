import SiloDownloads
import SiloSystem
import Synchronization

/// Words for requests that are sent again: one line for what waits together, however many requests that are.
final class RetryLines: Sendable {
  private let now: @Sendable () -> ContinuousClock.Instant
  /// When the pauses end that were told, by the reason.
  private let told = Mutex([String: ContinuousClock.Instant]())

  init(now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }) {
    self.now = now
  }

  /// What follows the word "retrying"; `nil` when that was told and the pause is not over.
  func words(_ retry: HTTPRetry) -> String? {
    let now = now()
    let isNew = told.withLock { told in
      if let end = told[retry.reason], now < end { return false }
      told[retry.reason] = now + retry.pause
      return true
    }
    guard isNew else { return nil }
    return Redaction.printable(
      "in \(Self.text(retry.pause)) (\(retry.attempt) of \(retry.attempts)): \(retry.subject): \(retry.reason)"
    )
  }

  /// `http` that tells of its retries on stderr, unless that is to be quiet.
  static func telling(
    _ http: HTTPOptions, _ display: DisplayOptions, _ surroundings: Surroundings
  ) -> HTTPOptions {
    guard !display.isQuiet else { return http }
    var http = http
    let lines = RetryLines()
    let word = surroundings.terminal(display.color).styled("retrying", .yellow)
    http.retrying = { [errors = surroundings.errors] retry in
      if let words = lines.words(retry) { errors.line("\(word) \(words)") }
    }
    return http
  }

  /// `0.3 s` below 10 s, else `12 s`.
  private static func text(_ pause: Duration) -> String {
    let tenths = Int((pause.seconds * 10).rounded(.up))
    return tenths < 100 ? "\(tenths / 10).\(tenths % 10) s" : "\(Int(pause.seconds.rounded(.up))) s"
  }
}
