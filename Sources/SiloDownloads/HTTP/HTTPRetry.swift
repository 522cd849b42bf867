/// A request that failed and is sent again after a pause: what a person is told who wonders why nothing happens.
public struct HTTPRetry: Sendable, Hashable {
  /// The address, without what is secret in it.
  public var subject: String
  /// Why it failed, in words that follow a colon.
  public var reason: String
  /// How long nothing is sent.
  public var pause: Duration
  /// The number of the attempt that follows; from 2, and from there again after progress.
  public var attempt: Int
  /// How many attempts there are at most.
  public var attempts: Int

  /// A retry of the given parts.
  public init(subject: String, reason: String, pause: Duration, attempt: Int, attempts: Int) {
    self.subject = subject
    self.reason = reason
    self.pause = pause
    self.attempt = attempt
    self.attempts = attempts
  }
}
