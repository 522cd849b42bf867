/// A stretch of a rendition that one demuxer reads: one run, one init section.
struct SpoolPart: Hashable {
  /// The run it belongs to, from 0.
  var run: Int
  /// The init section in the spool.
  var initSection: Range<Int64>?
  /// Its segments.
  var segments: [RenditionSpool.Segment]

  /// The parts of a rendition; `runs` has the run of each segment.
  static func parts(
    of segments: [RenditionSpool.Segment], runs: [Int],
    isSameInit: (Range<Int64>, Range<Int64>) -> Bool
  ) -> [SpoolPart] {
    var parts: [SpoolPart] = []
    for (segment, number) in zip(segments, runs) {
      if let last = parts.last, last.run == number,
        last.initSection == segment.initSection
          || Self.same(last.initSection, segment.initSection, isSameInit)
      {
        parts[parts.count - 1].segments.append(segment)
      } else {
        parts.append(
          SpoolPart(run: number, initSection: segment.initSection, segments: [segment]))
      }
    }
    return parts
  }

  private static func same(
    _ a: Range<Int64>?, _ b: Range<Int64>?, _ isSame: (Range<Int64>, Range<Int64>) -> Bool
  ) -> Bool {
    guard let a, let b else { return false }
    return a.count == b.count && isSame(a, b)
  }
}
