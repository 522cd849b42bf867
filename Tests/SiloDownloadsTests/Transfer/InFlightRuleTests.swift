import SiloSystem
import Testing

@testable import SiloDownloads

@Suite struct InFlightRuleTests {
  /// A link that all requests share, where an answer also takes a round trip.
  private struct Link {
    var roundTrip: Double
    var bytesPerSecond: Double
  }

  /// The counts after each round of requests, as the rule sends them.
  private func counts(_ link: Link, _ byteCount: Int64, most: Int = 32, total: Int = 300) -> [Int] {
    var rule = InFlightRule(most: most, requestCounts: [total], start: .zero)
    var (time, sent) = (0.0, 0)
    var counts = [rule.count]
    while sent < total {
      let round = min(rule.count, total - sent)
      time += max(link.roundTrip, Double(round) * Double(byteCount) / link.bytesPerSecond)
      for _ in 0..<round { rule.take(byteCount, of: 0, at: .seconds(time)) }
      sent += round
      counts.append(rule.count)
    }
    return counts
  }

  @Test func `a slow link has few requests, a long one as many as there may be`() {
    let rows: [(Link, byteCount: Int64, most: Int, counts: [Int])] = [
      // 300 segments at 50 ms each: the most after two rounds.
      (Link(roundTrip: 0.05, bytesPerSecond: 1e9), 1880, 32, [8, 16, 32, 32]),
      (Link(roundTrip: 1, bytesPerSecond: 1e9), 400_000, 32, [8, 16, 32, 32]),
      (Link(roundTrip: 0.05, bytesPerSecond: 1e9), 1880, 4, [4, 4, 4, 4]),
      (Link(roundTrip: 0.05, bytesPerSecond: 1e9), 1880, 1, [1, 1, 1, 1]),
      // 1 MB/s and 0.4 MB: seven are under way for 2.8 s.
      (Link(roundTrip: 0.05, bytesPerSecond: 1e6), 400_000, 32, [8, 7, 7, 7]),
      (Link(roundTrip: 0.05, bytesPerSecond: 1e5), 400_000, 32, [8, 2, 2, 2]),
      (Link(roundTrip: 0.05, bytesPerSecond: 1e5), 400_000, 1, [1, 1, 1, 1]),
    ]
    for row in rows {
      let found = counts(row.0, row.byteCount, most: row.most)
      #expect(Array(found.prefix(4)) == row.counts, "\(row)")
    }
  }

  @Test(
    arguments: [
      (nil, 8), (0.01, 32), (0.063, 32), (0.1, 30), (0.2, 15), (0.37, 8), (0.5, 8), (3, 8), (0, 32),
    ] as [(Double?, Int)])
  func `What the look at the first segment took tells where to begin`(look: Double?, count: Int) {
    let rule = InFlightRule(
      most: 32, requestCounts: [300], start: .zero, look: look.map { .seconds($0) })
    #expect(rule.count == count)
    let few = InFlightRule(
      most: 4, requestCounts: [300], start: .zero, look: look.map { .seconds($0) })
    #expect(few.count == 4)
  }

  @Test func `small segments that are here first say nothing about large ones`() {
    var rule = InFlightRule(most: 32, requestCounts: [50, 50, 0], start: .zero)
    for step in 1...20 { rule.take(900, of: 1, at: .milliseconds(step * 10)) }
    #expect(rule.count == 8)
    rule.take(400_000, of: 0, at: .seconds(1))
    // 0.5 MB/s since the burst, and half of all requests are large: 200 kB in the mean.
    #expect(rule.count == 7)
  }

  @Test func `a burst at the start lets in one more for each answer`() {
    var rule = InFlightRule(most: 32, requestCounts: [300], start: .zero)
    rule.take(400_000, of: 0, at: .milliseconds(20))
    rule.take(400_000, of: 0, at: .milliseconds(40))
    #expect(rule.count == 10)
  }
}
