/// Decode times for the first packets of a reordered stream, which Matroska does not store and libavformat only tells after
/// the reorder depth has passed (pure).
enum DecodeStart {
  /// The decode times of leading packets without any, counted back from the first one that has it.
  ///
  /// - Parameters:
  ///   - presentations: The presentation times of the packets in order, the last being that of the packet that has `known`.
  ///   - known: The first decode time there is; `nil` when the stream ended before one came.
  ///   - duration: How long one packet plays; `nil` takes the smallest distance of two presentation times.
  /// - Returns: One decode time for each packet before the known one (for all of them without), strictly rising, none
  ///   behind its presentation time where the times allow that.
  static func times(presentations: [Int64], known: Int64?, duration: Int64?) -> [Int64] {
    let sorted = presentations.sorted()
    let gaps = zip(sorted.dropFirst(), sorted).map { $0 &- $1 }.filter { $0 > 0 }
    let step = max(1, duration.flatMap { $0 > 0 ? $0 : nil } ?? gaps.min() ?? 1)
    guard let known else {
      // In decode order the times rise as the sorted presentation times do, early enough for the most reordered packet.
      let delay = zip(presentations, sorted).map { $1 &- $0 }.max() ?? 0
      return sorted.map { $0 &- max(0, delay) }
    }
    let count = presentations.count - 1
    return (0..<max(0, count)).map { known &- step &* Int64(count - $0) }
  }
}
