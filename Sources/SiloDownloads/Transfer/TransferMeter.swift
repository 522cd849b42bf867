import SiloSystem

/// Turns counts of bytes into a rate and a time left; never goes backwards (pure).
struct TransferMeter: Sendable {
  /// How long the past counts in the rate, in seconds.
  private static let window = 5.0

  private var bytes: Int64
  private var total: Int64?
  private var rate: Double?
  private var lastTime: Duration?
  private var lastBytes: Int64

  /// A meter that starts with `bytes` on disk already.
  init(bytes: Int64 = 0, total: Int64? = nil) {
    self.bytes = bytes
    self.total = total
    lastBytes = bytes
  }

  /// The progress when `bytes` of `total` are there at `time`.
  mutating func progress(bytes: Int64, total: Int64?, at time: Duration) -> DownloadProgress {
    self.bytes = max(self.bytes, bytes)
    if let total { self.total = total }
    guard let last = lastTime else {
      lastTime = time
      lastBytes = self.bytes
      return current
    }
    let elapsed = (time - last).seconds
    if elapsed >= 0.2 {
      let now = Double(self.bytes - lastBytes) / elapsed
      let weight = min(1, elapsed / Self.window)
      rate = rate.map { $0 + (now - $0) * weight } ?? now
      lastTime = time
      lastBytes = self.bytes
    }
    return current
  }

  /// An estimate that the bytes have outgrown is no total any more.
  private var current: DownloadProgress {
    let total = total.map { max($0, bytes) }
    var remaining: Duration?
    if let total, let rate, rate > 1 {
      remaining = .seconds(min(Double(total - bytes) / rate, 31_536_000))
    }
    return DownloadProgress(bytes: bytes, total: total, bytesPerSecond: rate, remaining: remaining)
  }
}
