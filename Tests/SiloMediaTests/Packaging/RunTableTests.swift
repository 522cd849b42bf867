import SiloSystem
import Testing

@testable import SiloMedia

@Suite struct RunTableTests {
  private typealias Segment = RenditionInput.Segment

  /// Segments of 6 s, whose discontinuity numbers are given.
  private static func segments(_ numbers: [Int], length: Double = 6) -> [Segment] {
    numbers.enumerated().map { index, number in
      Segment(
        part: index, initPart: nil, discontinuity: number, mediaSequence: index,
        start: .seconds(Double(index) * length), duration: .seconds(length))
    }
  }

  private static func ticks(_ seconds: [Double?]) -> [Int64?] {
    seconds.map { $0.map { Int64($0 * 90_000) & 0x1_FFFF_FFFF } }
  }

  @Test(
    arguments: [
      // Seconds at which segments of six seconds start, and the segments that start a run.
      ([0, 6, 12, 18], [0]), ([10, 16, 0, 6], [0, 2]), ([10, 16, 1000, 1006], [0, 2]),
      // Rounded and guessed lengths, and a missing segment, are no jumps.
      ([0, 5.1, 10.2, 15.3], [0]), ([0, 3, 6, 9], [0]), ([0, 6, 18, 24], [0]),
      // The fold after 33 bits is none either.
      ([95_440, 95_446, 95_452, 95_458], [0]), ([95_440, 95_446, 3, 9], [0]),
      ([95_440, 95_446, 500, 506], [0, 2]),
      // What is not known starts nothing, and what is behind it is measured from before.
      ([0, nil, 12, 18], [0]), ([50, nil, 12, 18], [0, 2]), ([nil, nil, nil, nil], [0]),
      ([100, 50, 100, 50], [0, 1, 2, 3]),
      ([90, 90, 96, 90], [0, 1, 3]), ([90, 90.001, 90.002, 90.003], [0]),
    ] as [([Double?], [Int])])
  func `A clock that jumps starts a run without a tag`(seconds: [Double?], starts: [Int]) {
    let table = RunTable(
      leader: Self.segments([0, 0, 0, 0]), times: Self.ticks(seconds))
    #expect(table.runs.map(\.start) == starts.map { .seconds(6 * $0) })
  }

  @Test func `A tag starts a run whatever the clock says`() {
    let table = RunTable(leader: Self.segments([3, 3, 4, 4]), times: Self.ticks([0, 6, 12, 18]))
    #expect(table.runs.map(\.number) == [3, 4])
    #expect(table.assignment(of: Self.segments([3, 3, 4, 4])) == [0, 0, 1, 1])
    // Other numbers, or none: by the time of the middle.
    #expect(table.assignment(of: Self.segments([0, 0, 0, 0])) == [0, 0, 1, 1])
    #expect(table.assignment(of: Self.segments([0, 0, 0], length: 9)) == [0, 1, 1])
  }

  @Test func `At the edge of a run without a tag, the clock tells the run`() {
    let table = RunTable(leader: Self.segments([0, 0, 0, 0]), times: Self.ticks([90, 96, 0, 6]))
    let sound = Self.segments([0, 0, 0], length: 8)
    // The second lies from 8 to 16 s, with its middle at the edge.
    #expect(table.assignment(of: sound, times: Self.ticks([90, 98, 4])) == [0, 0, 1])
    #expect(table.assignment(of: sound, times: Self.ticks([90, 2, 4])) == [0, 1, 1])
    #expect(table.assignment(of: sound, times: Self.ticks([90, nil, 4])) == [0, 1, 1])
    // Far from an edge it does not count: lengths in playlists are guesses.
    let many = Self.segments([0, 0, 0, 0, 0, 0], length: 4)
    #expect(
      table.assignment(of: many, times: Self.ticks([0, 94, 98, 0, 4, 99])) == [0, 0, 0, 1, 1, 1])
  }
}
