/// Which segments of a stretch gave packets of which track: one that gave none is a hole, however well formed its bytes are
/// (pure).
struct SegmentCoverage {
  /// Shorter segments may rightly hold no packet of a track.
  private static let shortest = Duration.seconds(1)

  private let segments: [RenditionInput.Segment]
  private var seen: [Int: Set<Int>] = [:]

  /// The coverage of `segments`.
  init(_ segments: [RenditionInput.Segment]) { self.segments = segments }

  /// Notes a packet of `track` that begins in the segment with an index.
  mutating func see(_ track: Int, in segment: Int) { seen[track, default: []].insert(segment) }

  /// The first segment without a packet of one of `tracks`; a track without any known position says nothing.
  func hole(of tracks: Set<Int>) -> (track: Int, segment: RenditionInput.Segment)? {
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
