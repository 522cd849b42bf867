import SiloSystem

/// Whether an answer comes fast enough that somebody may wait for it, as curl's low-speed rule has it (pure).
///
/// What a person waits for before anything begins is small: a playlist, a key, an index. A server that sends a byte a second
/// never stalls, and would be waited for all day.
struct AnswerPace: Hashable, Sendable {
  /// Bytes a second, on the average of a window.
  static let leastBytesPerSecond = 1024

  /// How long is looked at.
  let window: Duration
  private var start: Duration?
  private var byteCount = 0

  /// A pace that is judged after each `window`.
  init(window: Duration) { self.window = window }

  /// The fewest bytes of a window.
  var leastByteCount: Int { Int(min(window.seconds, 1e9) * Double(Self.leastBytesPerSecond)) }

  /// Bytes of the answer arrived; the first ones begin the window.
  mutating func take(_ count: Int, at now: Duration) {
    if start == nil { start = now }
    byteCount += count
  }

  /// Begins a new window: the wait was ours.
  mutating func restart() {
    start = nil
    byteCount = 0
  }

  /// Whether the window that ends now brought too little; else, when it is over, the next one begins.
  mutating func isTooSlow(at now: Duration) -> Bool {
    guard let start, now - start >= window else { return false }
    guard byteCount >= leastByteCount else { return true }
    (self.start, byteCount) = (now, 0)
    return false
  }
}
