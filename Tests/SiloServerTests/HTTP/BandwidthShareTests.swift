import Testing

@testable import SiloServer

@Suite struct BandwidthShareTests {
  /// What each connection got when all send as fast as they may for a while.
  ///
  /// - Parameter connections: Connections and whose they are; each asks again as soon as it has a grant.
  private func bytes(
    of connections: [(id: UInt64, user: Int64?)], server: Int64?, user: Int64?,
    for length: Duration, late: Duration = .zero
  ) -> [UInt64: Int] {
    var limits = BandwidthLimits()
    (limits.bytesPerSecond, limits.bytesPerSecondOfUser) = (server, user)
    var share = BandwidthShare(limits)
    let users = Dictionary(uniqueKeysWithValues: connections.map { ($0.id, $0.user) })
    for connection in connections { share.ask(connection.id, of: connection.user, need: 1 << 30) }
    var (now, sent): (Duration, [UInt64: Int]) = (.seconds(5), [:])
    let end = now + length
    while now < end {
      for grant in share.grants(at: now) {
        sent[grant.ticket, default: 0] += grant.byteCount
        share.ask(grant.ticket, of: users[grant.ticket] ?? nil, need: 1 << 30)
      }
      guard let next = share.nextGrant else { break }
      now = max(now, next) + late
    }
    return sent
  }

  private func isNear(_ count: Int?, _ wanted: Int) -> Bool {
    abs((count ?? 0) - wanted) <= wanted / 10
  }

  @Test func `All connections together stay within the limit of the server, late timers or not`() {
    for late in [Duration.zero, .milliseconds(7)] {
      let sent = bytes(
        of: (1...8).map { ($0, Int64($0)) }, server: 1_000_000, user: nil, for: .seconds(10),
        late: late)
      #expect(isNear(sent.values.reduce(0, +), 10_000_000), "\(late)")
      for (ticket, count) in sent { #expect(isNear(count, 1_250_000), "\(ticket)") }
    }
  }

  @Test func `The connections of one account share its limit, those of another have their own`() {
    let sent = bytes(
      of: [(1, 1), (2, 1), (3, 1), (4, 1), (5, 2), (6, nil)], server: nil, user: 400_000,
      for: .seconds(10))
    for ticket in 1...4 { #expect(isNear(sent[UInt64(ticket)], 1_000_000)) }
    #expect(isNear(sent[5], 4_000_000) && isNear(sent[6], 4_000_000))
  }

  @Test func `Accounts take turns, whatever number of connections they have`() {
    var connections: [(id: UInt64, user: Int64?)] = (1...15).map { ($0, 1) }
    connections.append((16, 2))
    let sent = bytes(of: connections, server: 1_000_000, user: nil, for: .seconds(10))
    #expect(isNear(sent[16], 5_000_000))
    #expect(isNear((1...15).reduce(0) { $0 + (sent[$1] ?? 0) }, 5_000_000))
  }

  @Test func `Both limits hold at once`() {
    // Two accounts could take 600 KB each; the server gives 1 MB.
    let both = bytes(
      of: [(1, 1), (2, 2)], server: 1_000_000, user: 600_000, for: .seconds(10))
    #expect(isNear(both[1], 5_000_000) && isNear(both[2], 5_000_000))
    let one = bytes(of: [(1, 1), (2, 1)], server: 1_000_000, user: 600_000, for: .seconds(10))
    #expect(isNear(one.values.reduce(0, +), 6_000_000))
  }

  @Test
  func `A grant is never more than was asked for, and who asks for little is not charged more`() {
    var limits = BandwidthLimits()
    limits.bytesPerSecond = 1_000_000
    var share = BandwidthShare(limits)
    share.ask(1, of: 1, need: 10)
    #expect(share.grants(at: .seconds(1)) == [.init(ticket: 1, byteCount: 10)])
    #expect(share.nextGrant == nil)
    share.ask(2, of: 1, need: 10)
    #expect(share.grants(at: .seconds(1)).map(\.ticket) == [2])
  }

  @Test func `Nobody is granted anything between two times that were announced`() {
    var limits = BandwidthLimits()
    limits.bytesPerSecondOfUser = 1000
    var share = BandwidthShare(limits)
    share.ask(1, of: 7, need: 5000)
    #expect(share.grants(at: .seconds(1)) == [.init(ticket: 1, byteCount: 1024)])
    share.ask(1, of: 7, need: 5000)
    guard let next = share.nextGrant else {
      Issue.record("nobody waits")
      return
    }
    #expect(next > .seconds(1))
    #expect(share.grants(at: next - .milliseconds(1)).isEmpty)
    #expect(share.grants(at: next).count == 1)
  }
}
