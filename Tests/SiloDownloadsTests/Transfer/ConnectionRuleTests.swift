import SiloSystem
import Testing

@testable import SiloDownloads

@Suite struct ConnectionRuleTests {
  /// How a link answers: bytes a second for so many connections at a time.
  private typealias Link = (_ count: Int, _ time: Double) -> Double

  /// Runs the rule over a link for `seconds`; returns the numbers that it wanted.
  private func counts(
    most: Int = 16, seconds: Double = 12, refusing limit: Int = .max, _ link: Link
  ) -> [Int] {
    var rule = ConnectionRule(most: most)
    var (byteCount, counts) = (0.0, [Int]())
    let step = 0.0625
    for tick in 0..<Int(seconds / step) {
      if rule.count > limit { rule.refused(working: limit) }
      byteCount += link(rule.count, Double(tick) * step) * step
      rule.look(
        byteCount: Int64(byteCount), left: 1 << 40, answering: rule.count, connections: rule.count,
        at: .seconds(Double(tick + 1) * step))
      counts.append(rule.count)
    }
    return counts
  }

  private static let mib = 1_048_576.0

  @Test func `connections grow while they bring more, and go when they do not`() {
    let mib = Self.mib
    let rows: [(String, ClosedRange<Int>, Link)] = [
      ("8 MiB/s each", 16...16, { count, _ in Double(count) * 8 * mib }),
      ("shared", 1...1, { _, _ in 20 * mib }),
      ("shared, with a burst", 1...1, { _, time in time < 1 ? 100 * mib : 20 * mib }),
      (
        "each, the first second four times as fast", 16...16,
        { count, time in Double(count) * (time < 1 ? 32 : 8) * mib }
      ),
      ("a line of 30 MiB/s, 8 each", 4...4, { count, _ in min(30, Double(count) * 8) * mib }),
      ("a line that opens slowly", 1...2, { _, time in min(20, 2 + time * 10) * mib }),
      ("faster than a disk", 1...1, { count, _ in Double(count) * 300 * mib }),
      ("nothing at all", 1...1, { _, _ in 0 }),
      (
        "more connections are slower", 1...2,
        { count, _ in count <= 2 ? Double(count) * 8 * mib : 4 * mib }
      ),
    ]
    for (name, expected, link) in rows {
      let counts = counts(link)
      #expect(expected.contains(counts.last ?? 0), "\(name): \(counts)")
    }
  }

  @Test func `sixteen are reached within a second and a half`() {
    let counts = counts(seconds: 1.5) { count, _ in Double(count) * 8 * Self.mib }
    #expect(counts.last == 16, "\(counts)")
  }

  @Test func `what the server refuses is not tried again`() {
    let counts = counts(refusing: 3) { count, _ in Double(count) * 8 * Self.mib }
    #expect(counts.last == 3)
    #expect(counts.count { $0 > 3 } == 1, "\(counts)")
  }

  @Test func `never more than allowed, never for what is there in a second`() {
    let few = counts(most: 3) { count, _ in Double(count) * 8 * Self.mib }
    #expect(few.max() == 3)
    var rule = ConnectionRule(most: 16)
    for tick in 1...8 {
      rule.look(
        byteCount: Int64(tick) << 20, left: 3 << 20, answering: 1, connections: 1,
        at: .milliseconds(250 * tick))
    }
    #expect(rule.count == 1)
  }

  @Test func `a rate that the user set is shared by nobody`() {
    var rule = ConnectionRule(most: 16, rateLimit: 10 << 20)
    for tick in 1...40 {
      rule.look(
        byteCount: Int64(tick) * 5 << 19, left: 1 << 40, answering: 1, connections: 1,
        at: .milliseconds(250 * tick))
    }
    #expect(rule.count == 1)
  }

  @Test func `those that are too many are waited for, some time`() {
    var rule = ConnectionRule(most: 16)
    var counts: [Int] = []
    for tick in 1...400 {
      // Whoever is there once never goes.
      rule.look(
        byteCount: Int64(tick) << 20, left: 1 << 40, answering: 8, connections: 8,
        at: .milliseconds(62 * tick))
      counts.append(rule.count)
    }
    #expect(counts.last == 1 && counts.contains(2), "\(counts)")
  }

  @Test func `what is settled is asked again after half a minute`() {
    let counts = counts(most: 4, seconds: 60) { count, time in
      time < 20 ? 20 * Self.mib : Double(count) * 20 * Self.mib
    }
    #expect(counts[300] == 1 && counts.last == 4)
  }
}
