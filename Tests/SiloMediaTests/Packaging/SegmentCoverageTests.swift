import Testing

@testable import SiloMedia

@Suite("Coverage of segments")
struct SegmentCoverageTests {
  private func segments(_ lengths: [Int64], seconds: [Double]) -> [RenditionSpool.Segment] {
    var (offset, time): (Int64, Double) = (500, 0)
    return zip(lengths, seconds).enumerated().map { index, part in
      defer { (offset, time) = (offset + part.0, time + part.1) }
      return RenditionSpool.Segment(
        bytes: offset..<(offset + part.0), initSection: nil, discontinuity: 0,
        mediaSequence: index, start: .seconds(time), duration: .seconds(part.1))
    }
  }

  @Test("a segment without a packet of a track is a hole")
  func table() {
    let rows: [(lengths: [Int64], seconds: [Double], seen: [Int64], hole: Int?)] = [
      ([100, 100, 100], [2, 2, 2], [10, 110, 210], nil),
      ([100, 100, 100], [2, 2, 2], [10, 210], 1),
      ([100, 100, 100], [2, 2, 2], [10, 109], 1),
      ([100, 100, 100], [2, 2, 2], [10, 110], 2),
      ([100, 100, 100], [2, 0.5, 2], [10, 210], nil),
      ([100, 0, 100], [2, 2, 2], [10, 110], 1),
      ([100, 100], [2, 2], [], nil),
    ]
    for row in rows {
      var coverage = SegmentCoverage(
        segments(row.lengths, seconds: row.seconds), headByteCount: 10)
      for position in row.seen { coverage.see(0, at: position) }
      #expect(coverage.hole(of: [0])?.segment.mediaSequence == row.hole, "\(row)")
    }
  }
}
