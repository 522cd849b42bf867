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
}
