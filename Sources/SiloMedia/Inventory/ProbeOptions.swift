/// How much a probe may read.
public struct ProbeOptions: Hashable, Sendable {
  /// Whether the source is read freely, as local files are, or sparingly, as sources behind a network are.
  ///
  /// `nil` decides by the source: files and memory freely, everything else sparingly.
  public var readsFreely: Bool?
  /// The most bytes that headers may take of a source that is read sparingly.
  public var byteBudget: Int64

  /// Options; the defaults suit every source.
  public init(readsFreely: Bool? = nil, byteBudget: Int64 = 64 << 20) {
    self.readsFreely = readsFreely
    self.byteBudget = byteBudget
  }
}
