import Testing

@testable import SiloMedia

@Suite("Coverage of segments")
struct SegmentCoverageTests {
  private func segments(_ seconds: [Double]) -> [RenditionInput.Segment] {
    var time = 0.0
    return seconds.enumerated().map { index, length in
      defer { time += length }
      return RenditionInput.Segment(
        part: index, initPart: nil, discontinuity: 0, mediaSequence: index, start: .seconds(time),
        duration: .seconds(length))
    }
  }

  @Test("a segment without a packet of a track is a hole")
  func table() {
    let rows: [(seconds: [Double], seen: [Int], hole: Int?)] = [
      ([2, 2, 2], [0, 1, 2], nil), ([2, 2, 2], [0, 2], 1), ([2, 2, 2], [0, 0], 1),
      ([2, 2, 2], [0, 1], 2), ([2, 0.5, 2], [0, 2], nil), ([2, 2], [], nil),
    ]
    for row in rows {
      var coverage = SegmentCoverage(segments(row.seconds))
      for segment in row.seen { coverage.see(0, in: segment) }
      #expect(coverage.hole(of: [0])?.segment.mediaSequence == row.hole, "\(row)")
    }
  }
}
