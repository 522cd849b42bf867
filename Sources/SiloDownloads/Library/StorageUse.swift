/// What downloads take on the disk.
public struct StorageUse: Sendable, Hashable {
  /// One item and what it takes.
  public struct Item: Sendable, Hashable {
    /// Its identity.
    public var id: String
    /// The source as it may be shown.
    public var source: String
    /// What it is called.
    public var title: String
    /// `finished`, `changed` or `missing` of what is in the library, else its state in the queue.
    public var state: String
    /// Where it lies, or will.
    public var path: String
    /// The bytes of the disk that it takes, with what lies beside it while it is made.
    public var byteCount: Int64
  }

  /// A file of ours that belongs to no item.
  public struct Orphan: Sendable, Hashable {
    /// Where it lies.
    public var path: String
    /// The bytes of the disk that it takes.
    public var byteCount: Int64
  }

  /// The items that have something on the disk, or should.
  public var items: [Item] = []
  /// The bytes that all items take.
  public var byteCount: Int64 = 0
  /// The free bytes of the disk that the newest item lies on, or else the current folder; `nil` when it does not tell.
  public var freeByteCount: Int64?
  /// The bytes that running downloads will still take.
  public var reservedByteCount: Int64 = 0
  /// What nobody needs: left by a download whose row is gone.
  public var orphans: [Orphan] = []

  /// Adds bytes that will be taken; what a row of nonsense says stops no sum.
  mutating func reserve(_ byteCount: Int64) {
    let (sum, overflow) = reservedByteCount.addingReportingOverflow(byteCount)
    reservedByteCount = overflow ? .max : sum
  }
}
