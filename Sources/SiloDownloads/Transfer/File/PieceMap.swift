/// Which bytes of a file are written, and which connection is to bring which of the others (pure).
///
/// A byte belongs to one claim at most. Only a claim that stalled is shared: what it still brings is taken where it is missing.
struct PieceMap: Hashable, Sendable {
  /// The part of a file that one connection is to bring.
  struct Claim: Hashable, Sendable {
    let id: Int
    /// Where its part begins.
    let start: Int64
    /// Where the next byte belongs.
    var position: Int64
    /// Where its part ends; moves when others take over some of it.
    var end: Int64
    /// Up to where its answer goes, if it is not cut: the end may come back to here.
    let reach: Int64
    /// Whether somebody else was asked for the same bytes.
    var isShared = false
  }

  /// What to do with some bytes of a body.
  enum Placement: Hashable, Sendable {
    /// So many are there already.
    case skip(Int)
    /// So many are written where they belong.
    case write(Int)
    /// The rest of the body is of no use.
    case enough
  }

  /// The length of the file; `nil` while nobody knows it.
  private(set) var total: Int64?
  /// What is written.
  private(set) var written: ByteRanges
  private(set) var claims: [Int: Claim] = [:]
  private var lastID = 0

  /// A file of `total` bytes of which `written` are there.
  init(total: Int64? = nil, written: ByteRanges = ByteRanges()) {
    self.total = total
    self.written = written
  }

  /// Whether every byte is written; `false` while the length is unknown.
  var isComplete: Bool { total.map { written.front >= $0 } ?? false }

  fileprivate var limit: Int64 { total ?? .max }

  /// What nobody brings yet, in order.
  var free: [Range<Int64>] {
    var taken = written
    for claim in claims.values where !claim.isShared && claim.end > claim.position {
      taken.insert(claim.position..<claim.end)
    }
    return taken.gaps(in: 0..<limit)
  }
}

// MARK: - Claims

extension PieceMap {
  /// Claims everything from the first free byte up to the next that is not free.
  ///
  /// Of a file that is there it claims the end, where an answer is compared; `nil` when others bring what is missing.
  mutating func claimRest() -> Claim? {
    guard let gap = free.first else { return isComplete ? add(limit, limit, .max) : nil }
    // What ends with the file is asked for without an end: the file may be longer than we think, and that tells.
    return add(gap.lowerBound, gap.upperBound, gap.upperBound == limit ? .max : gap.upperBound)
  }

  /// Claims `byteCount` free bytes near the front, or less where less is free.
  ///
  /// With nothing free, a claim with more than two such pieces left keeps one of them and gives the rest.
  mutating func claim(_ byteCount: Int64) -> Claim? {
    if let gap = free.first { return take(byteCount, of: gap) }
    guard total != nil else { return nil }
    let longest = claims.values.filter { !$0.isShared && $0.reach == .max }
      .max { $0.end - $0.position < $1.end - $1.position }
    guard let longest, longest.end - longest.position > byteCount * 2 else { return nil }
    let start = longest.position + byteCount
    claims[longest.id]?.end = start
    return take(byteCount, of: start..<longest.end)
  }

  private mutating func take(_ byteCount: Int64, of gap: Range<Int64>) -> Claim {
    // No crumbs: each costs a request.
    let isLast = Int64(gap.count) < byteCount + byteCount / 2
    let end = isLast ? gap.upperBound : gap.lowerBound + byteCount
    return add(gap.lowerBound, end, end)
  }

  /// Claims the second half of what the claim `id` has left.
  ///
  /// - Returns: `nil` when the half has fewer bytes than `least`.
  mutating func split(_ id: Int, least: Int64) -> Claim? {
    guard let claim = claims[id], !claim.isShared else { return nil }
    let half = (min(claim.end, limit) - claim.position) / 2
    guard half >= max(1, least), claim.end <= limit else { return nil }
    let middle = claim.end - half
    claims[id]?.end = middle
    return add(middle, claim.end, claim.end)
  }

  /// Claims what the claim `id` has left; it keeps running, and whoever brings a byte first wins.
  mutating func share(_ id: Int) -> Claim? {
    guard let claim = claims[id], !claim.isShared, claim.end <= limit, claim.position < claim.end
    else { return nil }
    claims[id]?.isShared = true
    return add(claim.position, claim.end, claim.end)
  }

  /// Lets the claim `id`, which has all it was to bring, go on where its answer does, when nothing of that came yet.
  ///
  /// - Returns: Whether it goes on; otherwise its answer is not wanted any longer.
  mutating func takeOver(_ id: Int) -> Bool {
    guard let claim = claims[id], !claim.isShared, claim.position >= claim.end,
      claim.end < min(claim.reach, limit)
    else { return false }
    if let gap = free.first(where: { $0.contains(claim.end) }) {
      claims[id]?.end = min(gap.upperBound, claim.reach)
      return true
    }
    let next = claims.values.first {
      !$0.isShared && $0.start == claim.end && $0.position == $0.start && $0.end > $0.start
    }
    guard let next, next.end <= claim.reach else { return false }
    claims[id]?.end = next.end
    claims[next.id]?.end = next.start
    return true
  }

  /// Less than this is sooner received twice than asked for in a request of its own.
  static let crumbByteCount: Int64 = 64 << 10

  /// Ends the claim `id`: what it did not bring is free, or goes to the claim before whose answer covers it.
  mutating func release(_ id: Int) {
    guard let claim = claims.removeValue(forKey: id), !claim.isShared,
      claim.position < claim.end, claim.position - claim.start < Self.crumbByteCount
    else { return }
    let before = claims.values.first {
      !$0.isShared && $0.end == claim.start && $0.position < $0.end && $0.reach > $0.end
    }
    guard let before, let gap = free.first(where: { $0.lowerBound == claim.position }) else {
      return
    }
    claims[before.id]?.end = min(gap.upperBound, before.reach)
  }

  /// Ends all claims and forgets every byte: a file of `total` bytes begins.
  mutating func startOver(total: Int64?) {
    (self.total, written, claims) = (total, ByteRanges(), [:])
  }

  /// Ends all claims.
  mutating func releaseAll() { claims = [:] }

  private mutating func add(_ start: Int64, _ end: Int64, _ reach: Int64) -> Claim {
    lastID += 1
    let claim = Claim(id: lastID, start: start, position: start, end: end, reach: reach)
    claims[lastID] = claim
    return claim
  }
}

// MARK: - Bytes

extension PieceMap {
  /// What to do with the next `byteCount` bytes that the claim `id` brings.
  func placement(of byteCount: Int, for id: Int) -> Placement {
    guard let claim = claims[id], claim.position < claim.end else { return .enough }
    if let range = written.range(at: claim.position) {
      let left = min(range.upperBound, claim.end) - claim.position
      // Nothing follows: waiting for bytes that are there would be idle.
      if range.upperBound >= claim.end { return .enough }
      return .skip(Int(min(Int64(byteCount), left)))
    }
    let next = written.start(after: claim.position) ?? .max
    return .write(Int(min(Int64(byteCount), min(claim.end, next) - claim.position)))
  }

  /// Notes that the next `byteCount` bytes of the claim `id` are there.
  mutating func advance(_ id: Int, by byteCount: Int) {
    guard var claim = claims[id], byteCount > 0 else { return }
    let start = claim.position
    claim.position += Int64(byteCount)
    claims[id] = claim
    written.insert(start..<claim.position)
  }

  /// Whether the claim `id` has everything that it is to bring.
  func isDone(_ id: Int) -> Bool {
    guard let claim = claims[id] else { return true }
    return claim.position >= claim.end
  }

  /// Learns the length of the file, which nobody knew.
  mutating func learn(total: Int64) {
    guard self.total == nil else { return }
    self.total = total
    for (id, claim) in claims where claim.end == .max { claims[id]?.end = total }
  }
}
