/// Remembers what was said, so that a warning of the inventory is not repeated by the transfer.
struct ToldOnce: Sendable {
  private var told = Set<String>()

  /// Whether `text` was not said before; from now on it was.
  mutating func isNew(_ text: String) -> Bool { told.insert(text).inserted }
}
