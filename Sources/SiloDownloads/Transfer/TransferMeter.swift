import SiloSystem

/// Turns counts of bytes into a rate and a time left; never goes backwards (pure).
struct TransferMeter: Sendable {
  /// The rate is not told before so much time has passed: until then it is mostly that of the burst.
  private static let patience = RateWindow.burst * 2

  private var bytes: Int64
  private var total: Int64?
  private var start: Duration?
  private var window = RateWindow()

  /// A meter that starts with `bytes` on disk already.
  init(bytes: Int64 = 0, total: Int64? = nil) {
    self.bytes = bytes
    self.total = total
  }

  /// The progress when `bytes` of `total` are there at `time`; what the first call tells was there before.
  mutating func progress(bytes: Int64, total: Int64?, at time: Duration) -> DownloadProgress {
    self.bytes = max(self.bytes, bytes)
    if let total { self.total = total }
    window.add(self.bytes, at: time)
    let start = start ?? time
    self.start = start
    return current(rate: time - start < Self.patience ? nil : window.perSecond)
  }

  /// An estimate that the bytes have outgrown is no total any more.
  private func current(rate: Double?) -> DownloadProgress {
    let total = total.map { max($0, bytes) }
    var remaining: Duration?
    if let total, let rate, rate > 1 {
      remaining = .seconds(min(Double(total - bytes) / rate, 31_536_000))
    }
    return DownloadProgress(bytes: bytes, total: total, bytesPerSecond: rate, remaining: remaining)
  }
}
