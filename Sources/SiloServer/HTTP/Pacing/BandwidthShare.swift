/// Who may send how much next, so that limits hold and nobody waits for ever; a pure value, told what time it is.
///
/// Accounts take turns, and in each of them its connections: one with sixteen connections gets no more than one with a single.
struct BandwidthShare: Sendable {
  /// A connection that waits.
  typealias Ticket = UInt64

  /// Bytes that a connection may send now.
  struct Grant: Sendable, Hashable {
    var ticket: Ticket
    var byteCount: Int
  }

  /// An account that somebody waits for, or that had a grant a moment ago.
  private struct Lane: Sendable {
    var bucket: Bucket?
    var waiting: [(ticket: Ticket, need: Int)] = []
  }

  /// The longest grant.
  static let mostAtOnce = 1 << 20

  private let limits: BandwidthLimits
  private var server: Bucket?
  private var lanes: [Int64?: Lane] = [:]
  /// The accounts that somebody waits for, the next one first.
  private var turns: [Int64?] = []
  private var waitingCount = 0

  init(_ limits: BandwidthLimits) {
    self.limits = limits
    server = limits.bytesPerSecond.map { Bucket($0) }
  }

  /// A connection of `user` has `need` bytes to send; each asks for one grant at a time.
  mutating func ask(_ ticket: Ticket, of user: Int64?, need: Int) {
    var lane = lanes[user] ?? Lane(bucket: limits.bytesPerSecondOfUser.map { Bucket($0) })
    if lane.waiting.isEmpty { turns.append(user) }
    lane.waiting.append((ticket, need))
    lanes[user] = lane
    waitingCount += 1
  }

  /// What may be sent at `now`; each grant ends the wait of its ticket.
  mutating func grants(at now: Duration) -> [Grant] {
    var grants: [Grant] = []
    // Those who are served first must not get less for it.
    let crowd = waitingCount
    // Those whose turn it is but whose own limit says no are asked again at the next time.
    var passed: [Int64?] = []
    while server?.isOpen(at: now) ?? true, !turns.isEmpty {
      let user = turns.removeFirst()
      guard var lane = lanes[user], let next = lane.waiting.first else { continue }
      guard lane.bucket?.isOpen(at: now) ?? true else {
        passed.append(user)
        continue
      }
      let byteCount = min(next.need, slice(of: lane, in: crowd))
      lane.waiting.removeFirst()
      lane.bucket?.take(byteCount, at: now)
      server?.take(byteCount, at: now)
      lanes[user] = lane
      waitingCount -= 1
      if !lane.waiting.isEmpty { turns.append(user) }
      grants.append(Grant(ticket: next.ticket, byteCount: byteCount))
    }
    turns = passed + turns
    if turns.isEmpty { forgetQuiet(at: now) }
    return grants
  }

  /// When the next grant can be made; `nil` when nobody waits.
  var nextGrant: Duration? {
    let own = turns.map { lanes[$0]?.bucket?.opensAt ?? .zero }.min()
    return own.map { max($0, server?.opensAt ?? .zero) }
  }

  /// A twentieth of a second for all who wait together, so that they take turns often, but not for every kilobyte.
  private func slice(of lane: Lane, in crowd: Int) -> Int {
    let own = lane.bucket.map { $0.bytesPerSecond / Int64(max(1, lane.waiting.count)) } ?? .max
    let common = server.map { $0.bytesPerSecond / Int64(max(1, crowd)) } ?? .max
    return Int(min(max(min(own, common) / 20, 1024), Int64(Self.mostAtOnce)))
  }

  private mutating func forgetQuiet(at now: Duration) {
    lanes = lanes.filter { _, lane in
      !lane.waiting.isEmpty || (lane.bucket?.opensAt ?? .zero) > now - Bucket.memory
    }
  }
}

/// A limit over time: what is taken now closes it for as long as that takes at its rate.
private struct Bucket: Sendable {
  /// How late a timer may be without anything being lost.
  static let memory = Duration.milliseconds(100)

  let bytesPerSecond: Int64
  private(set) var opensAt = Duration.zero

  init(_ bytesPerSecond: Int64) { self.bytesPerSecond = max(1, bytesPerSecond) }

  func isOpen(at now: Duration) -> Bool { opensAt <= now }

  mutating func take(_ byteCount: Int, at now: Duration) {
    let cost = Duration.seconds(Double(byteCount) / Double(bytesPerSecond))
    opensAt = max(opensAt, now - Self.memory) + cost
  }
}
