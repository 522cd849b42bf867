import Testing

@testable import SiloDownloads

@Suite struct PieceMapTests {
  private func some(_ claim: PieceMap.Claim?) throws -> PieceMap.Claim { try #require(claim) }

  /// Two claims that are not shared never have a byte in common, and none has one that is free.
  private func check(_ map: PieceMap, _ total: Int, _ comment: Comment) {
    var owners = [Int](repeating: 0, count: total)
    for claim in map.claims.values where !claim.isShared {
      for byte in claim.position..<max(claim.position, min(claim.end, Int64(total))) {
        owners[Int(byte)] += 1
      }
    }
    #expect(owners.allSatisfy { $0 <= 1 }, comment)
    for gap in map.free {
      for byte in gap {
        #expect(owners[Int(byte)] == 0 && map.written.range(at: byte) == nil, comment)
      }
    }
  }

  @Test func `in any order of events every byte is asked for once and comes to be written`() throws
  {
    for seed in 0..<300 as Range<UInt64> {
      var random = SplitMix(state: seed)
      let total = Int.random(in: 1...400, using: &random)
      var map = PieceMap(total: Int64(total))
      var isCalm = true
      for step in 0..<4000 where !map.isComplete {
        let ids = map.claims.keys.sorted()
        let id = ids.randomElement(using: &random)
        switch Int.random(in: 0..<12, using: &random) {
        case 0: if map.claims.isEmpty { _ = map.claimRest() }
        case 1, 2: _ = map.claim(Int64.random(in: 1...60, using: &random))
        case 3: if let id { _ = map.split(id, least: 4) }
        case 4 where step % 7 == 0:
          if let id, map.share(id) != nil { isCalm = false }
        case 5 where step % 5 == 0:
          if let id {
            if !map.isDone(id) { isCalm = false }
            map.release(id)
          }
        default:
          guard let id else { break }
          let count = Int.random(in: 1...50, using: &random)
          switch map.placement(of: count, for: id) {
          case .write(let written):
            let position = try #require(map.claims[id]?.position)
            #expect(map.written.range(at: position) == nil && written > 0)
            map.advance(id, by: written)
          case .skip(let skipped):
            #expect(!isCalm && skipped > 0)
            map.advance(id, by: skipped)
          case .enough:
            if !map.takeOver(id) { map.release(id) }
          }
        }
        check(map, total, "seed \(seed), step \(step)")
        // As a rerun would find it.
        let restored = PieceMap(
          total: map.total, written: ByteRanges(map.written.ranges.shuffled(using: &random)))
        #expect(restored.written == map.written)
      }
      #expect(map.isComplete, "seed \(seed)")
      #expect(map.written.ranges == [0..<Int64(total)])
    }
  }

  @Test func `pieces are taken near the front, and the first answer keeps what is before them`()
    throws
  {
    var map = PieceMap(total: 1000)
    let lead = try some(map.claimRest())
    #expect(lead.position == 0 && lead.end == 1000 && lead.reach == .max)
    map.advance(lead.id, by: 10)
    let first = try some(map.claim(100))
    #expect(first.position..<first.end == 110..<210)
    let second = try some(map.claim(100))
    #expect(second.position..<second.end == 210..<310)
    #expect(map.claims[lead.id]?.end == 110)
    // Whoever comes to a piece of which nothing came yet goes on.
    map.advance(lead.id, by: 100)
    let isContinued = map.takeOver(lead.id)
    #expect(isContinued && map.claims[lead.id]?.end == 210 && map.isDone(first.id))
    map.release(first.id)
    #expect(map.claims[lead.id]?.end == 210)
    // What a refused connection gives back goes to the answer that covers it.
    map.release(second.id)
    #expect(map.claims[lead.id]?.end == 1000)
    #expect(map.free.isEmpty)
    let third = try some(map.claim(100))
    map.advance(lead.id, by: Int(third.start - 110))
    map.advance(third.id, by: 100)
    map.release(third.id)
    let isCut = !map.takeOver(lead.id)
    #expect(isCut)
  }

  @Test func `what is left of a slow claim is halved, what stalled is asked for twice`() throws {
    var map = PieceMap(total: 100, written: ByteRanges([0..<20]))
    let slow = try some(map.claim(80))
    let half = try some(map.split(slow.id, least: 10))
    #expect(half.position..<half.end == 60..<100 && map.claims[slow.id]?.end == 60)
    let crumb = map.split(slow.id, least: 30)
    #expect(crumb == nil)
    let hedge = try some(map.share(slow.id))
    #expect(hedge.position..<hedge.end == 20..<60)
    map.advance(slow.id, by: 10)
    #expect(map.placement(of: 50, for: hedge.id) == .skip(10))
    map.advance(hedge.id, by: 10)
    #expect(map.placement(of: 50, for: hedge.id) == .write(30))
    map.advance(hedge.id, by: 30)
    #expect(map.placement(of: 5, for: slow.id) == .enough)
    #expect(map.isDone(hedge.id) && !map.isComplete)
  }

  @Test func `ranges join, and gaps are what is between them`() {
    let rows: [([Range<Int64>], [Range<Int64>], [Range<Int64>])] = [
      ([], [], [0..<100]), ([0..<0], [], [0..<100]), ([0..<100], [0..<100], []),
      ([50..<60, 0..<10], [0..<10, 50..<60], [10..<50, 60..<100]),
      ([0..<10, 10..<20], [0..<20], [20..<100]),
      ([5..<9, 3..<6, 8..<12], [3..<12], [0..<3, 12..<100]),
      ([90..<120], [90..<120], [0..<90]), ([0..<10, 20..<30, 5..<25], [0..<30], [30..<100]),
    ]
    for (ranges, joined, gaps) in rows {
      let set = ByteRanges(ranges)
      #expect(set.ranges == joined && set.gaps(in: 0..<100) == gaps, "\(ranges)")
    }
  }
}

/// A small generator that gives the same numbers each time.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
