/// A stretch of a rendition that one demuxer reads: one run, one init section.
struct SpoolPart: Hashable {
  /// The run it belongs to, from 0.
  var run: Int
  /// The part of the spool that is the init section.
  var initPart: Int?
  /// Its segments.
  var segments: [RenditionInput.Segment]

  /// The stretches of a rendition; `runs` has the run of each segment.
  static func parts(
    of segments: [RenditionInput.Segment], runs: [Int], isSameInit: (Int, Int) throws -> Bool
  ) rethrows -> [SpoolPart] {
    var parts: [SpoolPart] = []
    for (segment, number) in zip(segments, runs) {
      if let last = parts.last, last.run == number,
        try last.initPart == segment.initPart
          || Self.same(last.initPart, segment.initPart, isSameInit)
      {
        parts[parts.count - 1].segments.append(segment)
      } else {
        parts.append(SpoolPart(run: number, initPart: segment.initPart, segments: [segment]))
      }
    }
    return parts
  }

  private static func same(
    _ a: Int?, _ b: Int?, _ isSame: (Int, Int) throws -> Bool
  ) rethrows -> Bool {
    guard let a, let b else { return false }
    return try isSame(a, b)
  }
}
