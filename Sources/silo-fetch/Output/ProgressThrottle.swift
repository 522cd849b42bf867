/// Lets at most one thing through per interval (pure; the clock is the caller's).
struct ProgressThrottle: Sendable {
  /// The shortest time between two.
  let interval: Duration
  private var last: ContinuousClock.Instant?

  /// Nothing has passed yet.
  init(every interval: Duration) { self.interval = interval }

  /// Whether one may pass at `now`; when it may, it counts.
  mutating func passes(at now: ContinuousClock.Instant) -> Bool {
    if let last, last.duration(to: now) < interval { return false }
    last = now
    return true
  }

  /// The interval starts at `now` without anything having passed.
  mutating func start(at now: ContinuousClock.Instant) { if last == nil { last = now } }
}
