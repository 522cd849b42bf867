import Testing

@testable import SiloDownloads

@Suite struct PackagingRuleTests {
  private static let mebi: Int64 = 1 << 20

  @Test(
    arguments: [
      // Expected, free and stored in MiB, whether segments are missing, and whether it is written early.
      (71, 1000, 0, false, true), (128, 320, 0, false, true), (128, 319, 0, false, false),
      (129, 9000, 0, false, false), (nil, 9000, 0, false, false), (71, nil, 0, false, true),
      (71, 9000, 0, true, false), (0, 64, 0, false, true),
      // What lies there already does not need its place again; more than all of it does not help.
      (100, 164, 100, false, true), (100, 163, 100, false, false), (100, 164, 300, false, true),
      (100, 163, 300, false, false), (100, 263, -5, false, false),
    ] as [(Int64?, Int64?, Int64, Bool, Bool)])
  func `Small files are written early where the disk holds everything twice`(
    expected: Int64?, free: Int64?, stored: Int64, hasGaps: Bool, isEarly: Bool
  ) {
    let found = PackagingRule.isEarly(
      expected: expected.map { $0 * Self.mebi }, free: free.map { $0 * Self.mebi },
      stored: stored * Self.mebi, hasGaps: hasGaps)
    #expect(found == isEarly)
  }

  @Test(
    arguments: [
      (128, nil, false), (129, nil, true), (129, 9000, true), (100, 164, false), (100, 163, true),
    ]
      as [(Int64, Int64?, Bool)])
  func `Large spools give back what was written, and those for which there is no room`(
    spooled: Int64, free: Int64?, isFreeing: Bool
  ) {
    let found = PackagingRule.isFreeing(
      spooled: spooled * Self.mebi, free: free.map { $0 * Self.mebi })
    #expect(found == isFreeing)
  }

  @Test(
    arguments: [
      // Nothing is given back before a twentieth more than the spools is on the disk.
      (1000, 0, 0, -50), (1000, 0, 50, 0), (1000, 0, 51, 1), (1000, 400, 450, 0),
      (1000, 400, 500, 50), (1000, 1000, 1000, -50), (0, 0, 0, 0),
    ] as [(Int64, Int64, Int64, Int64)])
  func `No more is given back than the disk needs`(
    spooled: Int64, freed: Int64, written: Int64, surplus: Int64
  ) {
    #expect(PackagingRule.surplus(spooled: spooled, freed: freed, written: written) == surplus)
  }

  @Test(
    arguments: [
      (0, 0), (100 << 20, 200 << 20), (128 << 20, 256 << 20), (4_000_000_000, 4_600_000_000),
      (.max, .max),
    ] as [(Int64, Int64)])
  func `A large file needs little more than its size`(expected: Int64, peak: Int64) {
    #expect(PackagingRule.peak(of: expected) == peak)
  }
}
