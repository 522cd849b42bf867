/// How far a transfer is.
public struct DownloadProgress: Sendable, Hashable {
  /// Bytes that are on disk; never goes backwards.
  public var bytes: Int64
  /// Bytes expected in all, or `nil` when not known.
  public var total: Int64?
  /// Bytes a second, a moving average.
  public var bytesPerSecond: Double?
  /// The time left at that rate.
  public var remaining: Duration?

  /// A progress of the given parts.
  public init(
    bytes: Int64, total: Int64? = nil, bytesPerSecond: Double? = nil, remaining: Duration? = nil
  ) {
    self.bytes = bytes
    self.total = total
    self.bytesPerSecond = bytesPerSecond
    self.remaining = remaining
  }
}
