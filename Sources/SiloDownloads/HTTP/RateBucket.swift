import SiloSystem

/// A budget of bytes a second that all transfers of a client draw from.
///
/// A piece that arrived is taken whole, into debt if need be; the next one waits until the debt is paid.
struct RateBucket: Sendable {
  /// Bytes a second.
  let rate: Double
  private let capacity: Double
  private var balance: Double
  private var updated: Duration

  /// A full bucket at the time `now`; it holds a quarter of a second.
  init(bytesPerSecond: Int64, at now: Duration) {
    rate = Double(max(1, bytesPerSecond))
    capacity = rate / 4
    balance = capacity
    updated = now
  }

  /// Takes `byteCount` at `now`; `false`, and nothing taken, while there is debt.
  mutating func take(_ byteCount: Int, at now: Duration) -> Bool {
    refill(at: now)
    guard balance > 0 else { return false }
    balance -= Double(byteCount)
    return true
  }

  /// How long from `now` until something can be taken.
  mutating func wait(at now: Duration) -> Duration {
    refill(at: now)
    guard balance <= 0 else { return .zero }
    // A whole millisecond more, because the wait is rounded down to those.
    return .seconds(-balance / rate) + .milliseconds(1)
  }

  private mutating func refill(at now: Duration) {
    guard now > updated else { return }
    balance = min(capacity, balance + (now - updated).seconds * rate)
    updated = now
  }
}
