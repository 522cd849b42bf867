import SiloMedia

/// The rate of one rendition, from the bytes of its segments as they are sent.
struct Bandwidth: Hashable, Sendable {
  /// Bits a second of the largest segment that is not a short rest.
  var peak: Int
  /// Bits a second over all segments.
  var average: Int

  /// The rate of these segments; `packetCounts` belong to them.
  init(_ segments: [SegmentPlan.Segment], isVideo: Bool) {
    let sizes = segments.map { segment in
      // A fragment is its packets and a table with a row for each of them.
      Double(segment.byteCount + 140 + Int64(segment.packetCount * (isVideo ? 16 : 10)))
    }
    let lengths = segments.map { max(0.001, $0.duration / .seconds(1)) }
    let longest = lengths.max() ?? 1
    let rates = zip(sizes, lengths).map { $0 * 8 / $1 }
    let whole = zip(rates, lengths).filter { $1 >= longest / 2 }.map(\.0)
    peak = Int((whole.max() ?? 0).rounded(.up))
    average = Int((sizes.reduce(0, +) * 8 / max(0.001, lengths.reduce(0, +))).rounded(.up))
  }
}
