import SiloSystem

/// The rate of the last five seconds, from counts that only grow (pure).
struct RateWindow: Sendable {
  /// How far back the rate looks.
  static let length = Duration.seconds(5)
  /// How long the start counts only while there is nothing better: buffers and a full token bucket make it too fast.
  static let burst = Duration.milliseconds(500)
  /// Samples closer than this are one.
  private static let spacing = Duration.milliseconds(100)

  private struct Sample {
    var time: Duration
    var count: Int64
  }

  private var start: Duration?
  private var samples: [Sample] = []

  /// Notes that there are `count` in all at `time`; the first call says what was there before.
  mutating func add(_ count: Int64, at time: Duration) {
    let start = start ?? time
    self.start = start
    if samples.count > 2, time - samples[samples.count - 2].time < Self.spacing {
      samples.removeLast()
    }
    samples.append(Sample(time: time, count: count))
    while samples.count > 2, samples[1].time <= time - Self.length { samples.removeFirst() }
    if time - start >= Self.burst * 2 {
      while samples.count > 2, samples[1].time <= start + Self.burst { samples.removeFirst() }
    }
  }

  /// How many came in a second; `nil` before anything can be said.
  var perSecond: Double? {
    guard let first = samples.first, let last = samples.last, last.time > first.time else {
      return nil
    }
    return Double(last.count - first.count) / (last.time - first.time).seconds
  }
}
