/// Which segments of a stretch gave packets of which track: one that gave none is a hole, however well formed its bytes are
/// (pure).
struct SegmentCoverage {
  /// Shorter segments may rightly hold no packet of a track.
  private static let shortest = Duration.seconds(1)

  private let segments: [RenditionSpool.Segment]
  /// Where each segment starts in the joined bytes.
  private let starts: [Int64]
  private var seen: [Int: Set<Int>] = [:]

  /// The coverage of `segments`, whose bytes are joined behind `headByteCount` bytes of an init section.
  init(_ segments: [RenditionSpool.Segment], headByteCount: Int64) {
    self.segments = segments
    var starts: [Int64] = []
    var next = headByteCount
    for segment in segments {
      starts.append(next)
      next += Int64(segment.bytes.count)
    }
    self.starts = starts
  }

  /// Notes a packet of `track` that begins at `position` of the joined bytes.
  mutating func see(_ track: Int, at position: Int64) {
    var (low, high) = (0, starts.count - 1)
    guard high >= 0, position >= starts[0] else { return }
    while low < high {
      let middle = (low + high + 1) / 2
      if starts[middle] <= position { low = middle } else { high = middle - 1 }
    }
    seen[track, default: []].insert(low)
  }

  /// The first segment without a packet of one of `tracks`; a track without any known position says nothing.
  func hole(of tracks: Set<Int>) -> (track: Int, segment: RenditionSpool.Segment)? {
    for track in tracks.sorted() {
      guard let seen = seen[track] else { continue }
      for (index, segment) in segments.enumerated()
      where segment.duration >= Self.shortest && !seen.contains(index) {
        return (track, segment)
      }
    }
    return nil
  }
}
