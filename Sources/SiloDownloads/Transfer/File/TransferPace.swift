import SiloSystem

/// How soon a transfer looks at its connections again; other paces are for tests.
package struct TransferPace: Hashable, Sendable {
  /// The shortest time over which a rate is measured; the connections are looked at four times in it.
  package var window = Duration.milliseconds(250)
  /// A connection that brings nothing for so long is not waited for when another one has nothing to do.
  package var patience = Duration.seconds(3)

  /// The pace of the program.
  package init() {}

  /// A pace of the caller's own.
  package init(window: Duration, patience: Duration) {
    self.window = window
    self.patience = patience
  }

  /// How much one connection is asked for: what it brings in about two seconds.
  ///
  /// - Parameters:
  ///   - rate: Bytes a second that it brings; `nil` before that is known.
  ///   - left: The bytes that nobody has yet, which all `count` connections should end with together.
  static func pieceByteCount(rate: Double?, left: Int64, count: Int) -> Int64 {
    let wanted = Int64(min(max((rate ?? 0) * 2, smallest), largest))
    let share = max(left / Int64(max(1, count) * 2), Int64(smallest))
    return min(wanted, share)
  }

  private static let smallest = 1_048_576.0
  private static let largest = 16 * 1_048_576.0
}
