/// One chapter.
public struct Chapter: Hashable, Sendable, Codable {
  /// From the start of the item.
  public var start: Duration
  /// From the start of the item, or `nil` when the source does not say.
  public var end: Duration?
  /// What the source calls it.
  public var title: String?

  /// A chapter from `start` to `end`.
  public init(start: Duration, end: Duration? = nil, title: String? = nil) {
    self.start = start
    self.end = end
    self.title = title
  }
}
