/// Who of the running items will still need how much of which disk (pure).
struct SpaceLedger: Sendable {
  /// What an item needs at most at one time.
  struct Claim: Sendable, Hashable {
    /// The number of the file system.
    var device: UInt64
    /// The most bytes on it at one time; `nil` when nobody knows.
    var peakByteCount: Int64?
  }

  /// The items by the numbers that they were given.
  private(set) var claims: [Int: Claim] = [:]
  private var next = 0

  /// Notes an item, and returns its number.
  mutating func add(_ claim: Claim) -> Int {
    next += 1
    claims[next] = claim
    return next
  }

  /// Notes an item again that was given up for a while.
  mutating func put(_ claim: Claim, as number: Int) { claims[number] = claim }

  /// Forgets an item.
  mutating func remove(_ number: Int) { claims[number] = nil }

  /// The bytes of `device` that the items other than `number` will still take.
  ///
  /// - Parameter used: The bytes of the disk that the files of an item occupy now: they are not free any more.
  func reservedByteCount(on device: UInt64, except number: Int? = nil, used: (Int) -> Int64)
    -> Int64
  {
    claims.reduce(0) { sum, entry in
      guard entry.key != number, entry.value.device == device,
        let peak = entry.value.peakByteCount
      else { return sum }
      let (rest, _) = peak.subtractingReportingOverflow(max(0, used(entry.key)))
      let (total, overflow) = sum.addingReportingOverflow(max(0, rest))
      return overflow ? .max : total
    }
  }
}

/// What an item finds when it asks for room.
struct SpaceLook: Sendable, Hashable {
  /// The free bytes; `nil` when the disk does not tell.
  var freeByteCount: Int64?
  /// The bytes of them that other running items will still take.
  var reservedByteCount: Int64 = 0
  /// The bytes that the item has on the disk already.
  var usedByteCount: Int64 = 0
  /// The most bytes that it needs at one time; `nil` when nobody knows.
  var peakByteCount: Int64?

  /// So much is wanted where nobody knows the need: less would be full again at once.
  static let leastByteCount: Int64 = 16 << 20
  /// And so much beyond a known need, for journals.
  static let slackByteCount: Int64 = 1 << 20

  /// The bytes that it needs beyond those that it has.
  var missingByteCount: Int64 {
    guard let peakByteCount else { return Self.leastByteCount }
    let (rest, _) = peakByteCount.subtractingReportingOverflow(max(0, usedByteCount))
    let (sum, overflow) = max(0, rest).addingReportingOverflow(Self.slackByteCount)
    return overflow ? .max : sum
  }

  /// The bytes that it may take.
  var availableByteCount: Int64? {
    freeByteCount.map {
      max(0, $0.subtractingReportingOverflow(max(0, reservedByteCount)).partialValue)
    }
  }

  /// Whether there is room; what nobody knows is.
  var isEnough: Bool { availableByteCount.map { $0 >= missingByteCount } ?? true }
}
