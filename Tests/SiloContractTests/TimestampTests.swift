import SiloContract
import Testing

@Suite struct TimestampTests {
  @Test(
    arguments: [
      ("1970-01-01T00:00:00Z", 0), ("2026-06-19T16:04:05Z", 1_781_885_045),
      ("2026-06-19T18:04:05+02:00", 1_781_885_045), ("2026-06-19T10:34:05-05:30", 1_781_885_045),
      ("2026-06-19t16:04:05.987654321z", 1_781_885_045), ("2000-02-29T12:00:00Z", 951_825_600),
      ("1969-12-31T23:59:59Z", -1), ("0001-01-01T00:00:00Z", -62_135_596_800),
      ("2016-12-31T23:59:60Z", 1_483_228_800),
    ] as [(String, Int64)])
  func `Dates are read with any offset, and written in UTC`(_ text: String, _ seconds: Int64) {
    #expect(Timestamp(text)?.seconds == seconds)
    let written = Timestamp(seconds: seconds).description
    #expect(Timestamp(written)?.seconds == seconds)
    #expect(written.hasSuffix("Z") && written.count == 20)
  }

  @Test func `Every moment is read again as it was written`() {
    for seconds in stride(from: Int64(-62_135_596_800), through: 253_402_300_799, by: 86_399 * 977)
    {
      #expect(Timestamp(Timestamp(seconds: seconds).description)?.seconds == seconds)
    }
    #expect(Timestamp(seconds: 1_781_885_045).description == "2026-06-19T16:04:05Z")
    #expect(Timestamp(seconds: .max).description == "9999-12-31T23:59:59Z")
  }

  @Test(arguments: [
    "", "2026", "2026-06-19", "2026-06-19T16:04:05", "2026-13-01T00:00:00Z", "2026-02-30T00:00:00Z",
    "2026-02-29T00:00:00Z", "2026-00-01T00:00:00Z", "2026-06-19T24:00:00Z", "2026-06-19T16:60:00Z",
    "2026-06-19T16:04:05.Z", "2026-06-19T16:04:05Zx", "2026-06-19T16:04:05+2:00",
    "2026-06-19T16:04:05+25:00", "-026-06-19T16:04:05Z", "20260619T160405Z",
  ])
  func `What is no date is none`(_ text: String) {
    #expect(Timestamp(text) == nil)
  }
}
