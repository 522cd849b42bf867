import Testing

@testable import SiloMedia

@Suite("Decode times at the start")
struct DecodeStartTests {
  struct Row {
    var presentations: [Int64]
    var known: Int64?
    var duration: Int64?
    var expected: [Int64]
  }

  @Test("missing decode times are counted back from the first known one")
  func table() {
    let rows = [
      Row(presentations: [21, 141, 61], known: 21, duration: 40, expected: [-59, -19]),
      Row(presentations: [21, 141, 61, 101], known: 61, duration: nil, expected: [-59, -19, 21]),
      Row(presentations: [0], known: 0, duration: 40, expected: []),
      Row(presentations: [0, 40], known: 40, duration: 0, expected: [0]),
      Row(presentations: [0, 120, 40, 80], known: nil, duration: 40, expected: [-40, 0, 40, 80]),
      Row(presentations: [0, 40, 80], known: nil, duration: nil, expected: [0, 40, 80]),
    ]
    for row in rows {
      let times = DecodeStart.times(
        presentations: row.presentations, known: row.known, duration: row.duration)
      #expect(times == row.expected)
      #expect(zip(times, row.presentations).allSatisfy { $0 <= $1 })
    }
  }
}
