/// A stretch of a rendition that one demuxer reads: one run, one init section.
struct SpoolPart: Hashable {
  /// The run it belongs to, from 0.
  var run: Int
  /// The init section in the spool.
  var initSection: Range<Int64>?
  /// Its segments.
  var segments: [RenditionSpool.Segment]

  /// The parts of a rendition whose runs are told by `run`.
  static func parts(
    of segments: [RenditionSpool.Segment], run: (RenditionSpool.Segment) -> Int,
    isSameInit: (Range<Int64>, Range<Int64>) -> Bool
  ) -> [SpoolPart] {
    var parts: [SpoolPart] = []
    for segment in segments {
      let number = run(segment)
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

/// How the discontinuities of a presentation's renditions make common runs.
struct RunTable: Hashable {
  /// The discontinuity number and the playlist time at which each run starts.
  private(set) var runs: [(number: Int, start: Duration)]

  /// The runs of the rendition that leads, the one with pictures.
  init(leader: [RenditionSpool.Segment]) {
    runs = []
    for segment in leader where runs.last?.number != segment.discontinuity {
      runs.append((segment.discontinuity, segment.start))
    }
    if runs.isEmpty { runs = [(0, .zero)] }
  }

  /// The run of each segment of a rendition: by its number where it has the same numbers, else by its middle's time.
  func assignment(of segments: [RenditionSpool.Segment]) -> (RenditionSpool.Segment) -> Int {
    let numbers = Set(segments.map(\.discontinuity))
    let known = runs.map(\.number)
    if numbers.isSubset(of: known) && (numbers.count == known.count || numbers.count > 1) {
      return { segment in known.firstIndex(of: segment.discontinuity) ?? 0 }
    }
    let starts = runs.map(\.start)
    return { segment in
      let middle = segment.start + segment.duration / 2
      return starts.lastIndex { $0 <= middle } ?? 0
    }
  }

  static func == (a: RunTable, b: RunTable) -> Bool {
    a.runs.map(\.number) == b.runs.map(\.number) && a.runs.map(\.start) == b.runs.map(\.start)
  }

  func hash(into hasher: inout Hasher) { hasher.combine(runs.map(\.number)) }
}
