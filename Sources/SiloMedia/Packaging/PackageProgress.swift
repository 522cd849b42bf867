/// How far the writing of a file is.
public struct PackageProgress: Hashable, Sendable {
  /// The time in the file of the last packet.
  public var time: Duration
  /// The bytes that were written.
  public var byteCount: Int64

  /// A stage of writing.
  public init(time: Duration, byteCount: Int64) {
    self.time = time
    self.byteCount = byteCount
  }
}
