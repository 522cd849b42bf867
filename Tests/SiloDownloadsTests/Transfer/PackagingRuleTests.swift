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
}
