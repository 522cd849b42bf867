/// OpenSubtitles' hash: the length plus the sums of the first and the last 64 KiB as little-endian 64-bit words, mod 2⁶⁴.
package enum OpenSubtitlesHash {
  /// Below this length those who publish such hashes do not agree: most have none, some sum over what there is.
  package static let leastByteCount: Int64 = 131_072

  /// The hash in 16 hexadecimal digits; of a file below 64 KiB both sums are over all of it.
  ///
  /// - Parameter read: The bytes at an offset, so many as are asked for.
  package static func of(
    byteCount: Int64, reading read: (_ offset: Int64, _ count: Int) throws -> [UInt8]
  ) rethrows -> String {
    let window = Int(min(65_536, byteCount))
    var sum = UInt64(bitPattern: byteCount)
    for offset in [0, byteCount - Int64(window)] {
      let bytes = try read(offset, window)
      for start in stride(from: 0, to: bytes.count - bytes.count % 8, by: 8) {
        sum &+= (0..<8).reduce(0 as UInt64) { $0 | UInt64(bytes[start + $1]) << UInt64($1 * 8) }
      }
    }
    let text = String(sum, radix: 16)
    return String(repeating: "0", count: 16 - text.count) + text
  }
}
