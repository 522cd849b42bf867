/// The clock and the waits of a thing that retries, so that tests run through its patience without sleeping.
package struct Waiting: Sendable {
  /// The time since some fixed moment; never goes back.
  package let now: @Sendable () -> Duration
  /// Waits; throws `CancellationError` when the task is cancelled.
  package let sleep: @Sendable (Duration) async throws -> Void
  /// A number in 0..<1, for jitter.
  package let random: @Sendable () -> Double

  /// A clock of the caller's own.
  package init(
    now: @escaping @Sendable () -> Duration,
    sleep: @escaping @Sendable (Duration) async throws -> Void,
    random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
  ) {
    self.now = now
    self.sleep = sleep
    self.random = random
  }

  /// The clock of the system, which goes on while the machine sleeps.
  package static let system: Waiting = {
    let start = ContinuousClock.now
    return Waiting(
      now: { ContinuousClock.now - start },
      sleep: { try await Task.sleep(for: $0) })
  }()
}
