/// Decides how much is asked for when bytes are missing: few requests, and few bytes that nobody reads.
struct ReadAhead: Sendable {
  /// What a jump asks for at least.
  static let jump: Int64 = 64 << 10
  /// A jump this near to the end takes the end along: an index lies there.
  static let tail: Int64 = 384 << 10
  /// The most that reading on in sequence asks for at once.
  static let longest: Int64 = 2 << 20
  /// The most that one request asks for, whoever wants it.
  static let bound: Int64 = 32 << 20

  private var lastEnd: Int64?
  private var lastCount: Int64 = 0
  private var announced: [Range<Int64>] = []

  /// A reader announced that it will read all of `range`.
  mutating func announce(_ range: Range<Int64>) {
    guard !range.isEmpty, range.lowerBound >= 0 else { return }
    announced.append(range)
    if announced.count > 16 { announced.removeFirst() }
  }

  /// The range to ask for.
  ///
  /// - Parameters:
  ///   - offset: The first byte that is missing.
  ///   - count: How many bytes the reader wants.
  ///   - total: The length of the whole, beyond which nothing is asked for.
  ///   - next: Where the next bytes that are at hand start.
  mutating func range(at offset: Int64, count: Int64, total: Int64?, before next: Int64?)
    -> Range<Int64>
  {
    let wanted = min(max(count, 1), Self.bound)
    var length: Int64
    let isAnnounced: Bool
    if let range = announced.first(where: { $0.contains(offset) }) {
      isAnnounced = true
      length = max(wanted, min(range.upperBound - offset, Self.bound))
    } else if let lastEnd, offset >= lastEnd, offset - lastEnd <= Self.jump {
      isAnnounced = false
      length = max(wanted, min(lastCount * 2, Self.longest))
    } else if let total, total - offset <= Self.tail {
      isAnnounced = false
      length = max(wanted, total - offset)
    } else {
      isAnnounced = false
      length = max(wanted, Self.jump)
    }
    let (sum, overflow) = offset.addingReportingOverflow(length)
    let end = min(overflow ? .max - 1 : sum, total ?? .max - 1, next ?? .max - 1)
    let range = offset..<max(end, offset + 1)
    note(range, isAnnounced: isAnnounced)
    return range
  }

  /// Remembers what was asked for, so that reading on in sequence is seen.
  mutating func note(_ range: Range<Int64>, isAnnounced: Bool = false) {
    lastEnd = range.upperBound
    // What follows an announced range is a new beginning.
    lastCount = isAnnounced ? Self.jump / 2 : Int64(range.count)
    announced.removeAll { range.lowerBound <= $0.lowerBound && $0.upperBound <= range.upperBound }
  }
}
