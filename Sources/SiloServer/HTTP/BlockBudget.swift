import Synchronization

/// How much answers may hold in memory of what they send: long blocks are faster, but not for a crowd.
final class BlockBudget: Sendable {
  /// The block of the first transfers.
  ///
  /// Measured beside nginx with one connection: 64 KiB 0.80, 256 KiB 0.83, 1 MiB 0.97 of it.
  static let long = 1 << 20
  /// The block of all others.
  static let short = 64 << 10
  /// How many long ones there are at most.
  static let mostLong = 8

  private let longCount = Atomic(0)

  /// A block for a body of `byteCount`, for as long as it is held.
  func take(for byteCount: Int64) -> Block { Block(self, byteCount) }

  private func takeLong() -> Bool {
    if longCount.add(1, ordering: .relaxed).newValue <= Self.mostLong { return true }
    longCount.subtract(1, ordering: .relaxed)
    return false
  }

  /// The leave to hold so many bytes.
  final class Block: Sendable {
    /// The most that may be held.
    let byteCount: Int
    private let budget: BlockBudget

    fileprivate init(_ budget: BlockBudget, _ wanted: Int64) {
      self.budget = budget
      guard wanted > BlockBudget.short, budget.takeLong() else {
        byteCount = Int(min(wanted, Int64(BlockBudget.short)))
        return
      }
      byteCount = Int(min(wanted, Int64(BlockBudget.long)))
    }

    deinit {
      if byteCount > BlockBudget.short { budget.longCount.subtract(1, ordering: .relaxed) }
    }
  }
}
