import SiloSystem

/// How many connections one file is fetched by (pure).
///
/// The number doubles while that brings a tenth more bytes a second, and goes back when it does not. What the first moments
/// tell is often wrong: servers let the first bytes through at once. So a plateau counts only when it was met twice, the second
/// time against a rate measured without a burst; then fewer are tried, as long as that costs nothing.
struct ConnectionRule: Sendable {
  /// What growing has to bring, and shrinking may not cost.
  static let worth = 0.1
  /// Above this rate, in bytes a second, one connection is not what limits: it is more than a line of 1 Gbit/s carries and than
  /// many a disk writes, and each more connection only costs time of the processor.
  static let plenty = 128.0 * 1_048_576
  /// A number that brought less than this, of what it would bring on its own, is doubted.
  static let doubt = 0.5
  /// What is there within so many windows is not worth another connection.
  static let soon = 4.0
  /// After so many windows with the same number it is asked once more whether more would help.
  static let settledWindows = 120

  private enum Phase: Hashable { case growing, resting, shrinking, settled }

  /// How many are wanted now.
  private(set) var count = 1
  private var most: Int
  private let window: Duration
  private let plenty: Double
  private var phase = Phase.resting
  /// The number and the rate that the running trial is compared with.
  private var before = (count: 1, rate: 0.0)
  private var plateaus = 0
  private var isFirst = true
  private var start: (time: Duration, byteCount: Int64)?
  private var changed: Duration?

  /// - Parameters:
  ///   - most: The most connections.
  ///   - window: The shortest time over which a rate is measured; the other times are some of these.
  ///   - rateLimit: Bytes a second that the user allows.
  init(most: Int, window: Duration = .milliseconds(250), rateLimit: Int64? = nil) {
    self.most = max(1, most)
    self.window = window
    plenty = min(Self.plenty, rateLimit.map { Double($0) * (1 - Self.worth) } ?? .infinity)
  }

  /// Notes that the server refuses more than `working` connections.
  mutating func refused(working: Int) {
    most = max(1, min(most, working))
    if count > most { begin(.settled, count: most) }
  }

  /// Looks at the bytes that came so far, and decides.
  ///
  /// - Parameters:
  ///   - byteCount: All bytes of all connections.
  ///   - left: The bytes to come.
  ///   - answering: How many connections have brought something.
  ///   - connections: How many there are: those that are too many go when they have brought their piece.
  mutating func look(
    byteCount: Int64, left: Int64, answering: Int, connections: Int, at time: Duration
  ) {
    let changed = self.changed ?? time
    self.changed = changed
    // New connections count from their first bytes on, if those come at all.
    let isSteady = answering >= count && connections <= count
    if start == nil, isSteady || time - changed >= window * (connections > count ? 12 : 4) {
      start = (time, byteCount)
    }
    guard let start, time - start.time >= window else { return }
    let rate = Double(byteCount - start.byteCount) / (time - start.time).seconds
    let windows = (time - start.time) / window
    switch phase {
    case .resting: rest(rate, windows, left)
    case .growing:
      if rate > before.rate * (1 + Self.worth) {
        plateaus = 0
        let isDoubted = rate < before.rate * (1 + Self.doubt)
        // The line may have become faster by itself.
        if count == most, isDoubted { shrink(from: rate) } else { grow(from: rate, left) }
      } else if windows >= 4 {
        plateaus += 1
        begin(.resting, count: before.count)
      }
    case .shrinking:
      guard windows >= 3 else { return }
      if rate < before.rate * (1 - Self.worth) {
        begin(.settled, count: before.count)
      } else {
        shrink(from: before.rate)
      }
    case .settled:
      guard windows >= Double(Self.settledWindows) else { return }
      plateaus = 1
      begin(.resting, count: count)
    }
  }

  private mutating func rest(_ rate: Double, _ windows: Double, _ left: Int64) {
    guard isFirst || windows >= 2 else { return }
    if plateaus < 2 { return grow(from: rate, left) }
    shrink(from: rate)
  }

  private mutating func grow(from rate: Double, _ left: Int64) {
    isFirst = false
    guard count < most else { return begin(.settled, count: count) }
    guard rate < plenty, Double(left) > rate * window.seconds * Self.soon else {
      return begin(.resting, count: count)
    }
    before = (count, rate)
    begin(.growing, count: min(most, count * 2))
  }

  private mutating func shrink(from rate: Double) {
    guard count > 1 else { return begin(.settled, count: count) }
    before = (count, rate)
    begin(.shrinking, count: (count + 1) / 2)
  }

  private mutating func begin(_ phase: Phase, count: Int) {
    self.phase = phase
    self.count = count
    start = nil
    changed = nil
  }
}
