import Testing

@testable import SiloServer

@Suite struct AttemptLimitTests {
  @Test func `Failures within the window count, and a success forgets them`() {
    var limit = AttemptLimit(most: 3, windowSeconds: 60)
    for moment in [0, 10, 20] as [Int64] {
      #expect(limit.wait(for: "a", at: moment) == nil)
      limit.begin("a", at: moment)
    }
    #expect(limit.wait(for: "a", at: 21) == 39 && limit.wait(for: "b", at: 21) == nil)
    #expect(limit.wait(for: "a", at: 59) == 1 && limit.wait(for: "a", at: 60) == nil)
    limit.begin("a", at: 60)
    #expect(limit.wait(for: "a", at: 61) == 9)
    limit.succeed("a")
    #expect(limit.wait(for: "a", at: 61) == nil)
  }

  @Test func `An attempt that is taken back leaves those before it`() {
    var limit = AttemptLimit(most: 2, windowSeconds: 60)
    for moment in [0, 1, 2, 3] as [Int64] {
      limit.begin("a", at: moment)
      limit.takeBack("a")
    }
    #expect(limit.wait(for: "a", at: 4) == nil)
    limit.begin("a", at: 5)
    limit.begin("a", at: 6)
    limit.takeBack("a")
    #expect(limit.wait(for: "a", at: 7) == nil)
    limit.begin("a", at: 7)
    #expect(limit.wait(for: "a", at: 8) == 57)
    limit.takeBack("b")
    #expect(limit.wait(for: "b", at: 8) == nil)
  }

  @Test func `Names that somebody makes up take no memory, and free nobody who failed lately`() {
    var limit = AttemptLimit(most: 1, windowSeconds: 60, mostNames: 64)
    for number in 0..<10_000 { limit.begin("name \(number)", at: Int64(number / 100)) }
    #expect(limit.wait(for: "name 9999", at: 99) != nil)
    let kept = (0..<10_000).count { limit.wait(for: "name \($0)", at: 99) != nil }
    #expect(kept <= 64)
  }

  @Test func `A password matches its hash and no other, and a damaged hash nothing`() throws {
    let hash = try PasswordHash(of: "söz", cost: 1 << 4)
    #expect(try hash.matches("söz") && !hash.matches("soz") && !hash.matches(""))
    #expect(try PasswordHash(of: "söz", cost: 1 << 4) != hash)
    for text in ["", "scrypt", "scrypt$16$zz$00", "md5$16$00$00", "scrypt$99999999999$00$00"] {
      #expect(try !PasswordHash(text: text).matches("söz"), "\(text)")
    }
    #expect(try !PasswordHash.ofNobody.matches(""))
  }
}
