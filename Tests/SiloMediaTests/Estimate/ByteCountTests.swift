import SiloMedia
import Testing

@Suite("Sizes")
struct ByteCountTests {
  @Test("sizes are read as the command line promises")
  func parsing() {
    let rows: [(String, Int64?)] = [
      ("0", 0), ("1234", 1234), ("1K", 1024), ("4G", 4_294_967_296), ("700M", 734_003_200),
      ("1.5m", 1_572_864), ("1KB", 1000), ("2mb", 2_000_000), ("3 GB", 3_000_000_000),
      ("1GiB", 1_073_741_824), ("1T", 1_099_511_627_776), ("5B", 5), (".5K", 512),
      ("", nil), ("G", nil), ("-1", nil), ("1X", nil), ("1KBB", nil), ("1 2", nil), ("1.2.3K", nil),
      (".", nil), ("9999999999G", nil), ("99999999999999999999", nil), ("1e3", nil), ("٣", nil),
    ]
    for (text, byteCount) in rows { #expect(ByteCount.parse(text) == byteCount, "\(text)") }
  }

  @Test("sizes are written for people")
  func writing() {
    let rows: [(Int64, String)] = [
      (0, "0 B"), (1023, "1023 B"), (1024, "1.0 KiB"), (1_572_864, "1.5 MiB"),
      (1_048_575, "1.0 MiB"), (104_857_600, "100 MiB"), (5_368_709_120, "5.0 GiB"),
      (.max, "8.0 EiB"), (-2048, "-2.0 KiB"),
    ]
    for (byteCount, text) in rows { #expect(ByteCount.text(byteCount) == text) }
  }
}
