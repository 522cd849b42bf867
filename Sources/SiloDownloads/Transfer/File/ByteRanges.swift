/// A set of bytes of a file: ranges in order, with a gap between each two (pure).
struct ByteRanges: Hashable, Sendable {
  /// The ranges, none of them empty, none touching another.
  private(set) var ranges: [Range<Int64>] = []

  /// The bytes of `ranges`, in any order, which may overlap.
  init(_ ranges: [Range<Int64>] = []) {
    for range in ranges { insert(range) }
  }

  /// How many bytes there are.
  var byteCount: Int64 { ranges.reduce(0) { $0 + Int64($1.count) } }

  /// How many bytes there are from the very first on.
  var front: Int64 {
    guard let first = ranges.first, first.lowerBound == 0 else { return 0 }
    return first.upperBound
  }

  /// The end of the last byte; 0 when there is none.
  var end: Int64 { ranges.last?.upperBound ?? 0 }

  /// Adds the bytes of `range`.
  mutating func insert(_ range: Range<Int64>) {
    guard !range.isEmpty else { return }
    let first = index(endingFrom: range.lowerBound)
    var last = first
    var joined = range
    while last < ranges.count, ranges[last].lowerBound <= range.upperBound {
      joined =
        min(
          joined.lowerBound, ranges[last].lowerBound)..<max(
          joined.upperBound, ranges[last].upperBound)
      last += 1
    }
    ranges.replaceSubrange(first..<last, with: CollectionOfOne(joined))
  }

  /// The range that the byte at `offset` is in; `nil` when that byte is missing.
  func range(at offset: Int64) -> Range<Int64>? {
    let index = index(endingFrom: offset + 1)
    guard index < ranges.count, ranges[index].contains(offset) else { return nil }
    return ranges[index]
  }

  /// Where the first range behind `offset` begins; `nil` when none does.
  func start(after offset: Int64) -> Int64? {
    ranges[index(endingFrom: offset)...].first { $0.lowerBound > offset }?.lowerBound
  }

  /// What is missing of `whole`, in order.
  func gaps(in whole: Range<Int64>) -> [Range<Int64>] {
    var gaps: [Range<Int64>] = []
    var position = whole.lowerBound
    for range in ranges where range.upperBound > whole.lowerBound {
      if range.lowerBound >= whole.upperBound { break }
      if range.lowerBound > position { gaps.append(position..<range.lowerBound) }
      position = max(position, range.upperBound)
    }
    if position < whole.upperBound { gaps.append(position..<whole.upperBound) }
    return gaps
  }

  /// The place of the first range that ends at `offset` or behind it.
  private func index(endingFrom offset: Int64) -> Int {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < offset { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
