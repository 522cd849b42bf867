/// When the file of an HLS presentation is written (pure).
///
/// While the segments arrive, the file is there soon after the last one, but the disk holds everything twice. Afterwards, the
/// spools can give back what was written already: see docs/decisions/0008.
enum PackagingRule {
  /// The largest file that is written while its segments arrive, in bytes.
  static let earlyByteCount: Int64 = 128 << 20
  /// What stays free beside the spools and the file, in bytes.
  static let roomByteCount: Int64 = 64 << 20

  /// Whether to write while the segments arrive.
  ///
  /// - Parameters:
  ///   - expected: The length of the file, as far as it was told; an unknown one may be large.
  ///   - free: The free bytes of the disk; `nil` when nobody can say.
  ///   - stored: The bytes of it that a run before left.
  ///   - hasGaps: Whether segments are missing at the source, which is looked at in peace.
  static func isEarly(expected: Int64?, free: Int64?, stored: Int64, hasGaps: Bool) -> Bool {
    guard let expected, expected <= earlyByteCount, !hasGaps else { return false }
    guard let free else { return true }
    return free >= 2 * expected + roomByteCount - min(max(0, stored), expected)
  }

  /// Whether spools of that many bytes give back what was written: large ones do, and those for which the disk has no room.
  static func isFreeing(spooled: Int64, free: Int64?) -> Bool {
    spooled > earlyByteCount || (free ?? .max) < spooled + roomByteCount
  }

  /// The most bytes on disk at one time for a file of that size: small ones lie there twice.
  static func peak(of expected: Int64) -> Int64 {
    let more = expected > earlyByteCount ? expected / 20 * 3 : expected
    return expected.addingReportingOverflow(more).overflow ? .max : expected + more
  }

  /// How many bytes too many there are on the disk while a file is written out of spools; none when negative.
  ///
  /// A twentieth more than the spools is allowed: what is given back has to be fetched again after a crash.
  static func surplus(spooled: Int64, freed: Int64, written: Int64) -> Int64 {
    spooled - freed + written - (spooled + spooled / 20)
  }
}
