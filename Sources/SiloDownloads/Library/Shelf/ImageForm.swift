/// What kind of picture some bytes are, told by the bytes alone (pure): nobody's word for it counts.
struct ImageForm: Hashable, Sendable {
  /// The suffix: `jpg`, `png`, `webp`.
  let suffix: String
  /// Whether it is wider than high; `nil` when the bytes do not say so early.
  let isWide: Bool?

  /// All suffixes.
  static let suffixes = ["jpg", "png", "webp"]

  /// The form of a whole picture; `nil` for everything else.
  init?(_ bytes: [UInt8]) {
    let size: (width: Int, height: Int)?
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      (suffix, size) = ("jpg", Self.sizeOfJPEG(bytes))
    } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      (suffix, size) = ("png", Self.sizeOfPNG(bytes))
    } else if bytes.count >= 30, bytes.starts(with: Array("RIFF".utf8)),
      bytes[8..<12].elementsEqual("WEBP".utf8)
    {
      (suffix, size) = ("webp", Self.sizeOfWebP(bytes))
    } else {
      return nil
    }
    isWide = size.map { $0.width > $0.height }
  }

  /// The size in the first block, which is the header (PNG, 11.2.2).
  private static func sizeOfPNG(_ bytes: [UInt8]) -> (Int, Int)? {
    guard bytes.count >= 24, bytes[12..<16].elementsEqual("IHDR".utf8) else { return nil }
    return (
      big(bytes, 18, 2) + big(bytes, 16, 2) << 16, big(bytes, 22, 2) + big(bytes, 20, 2) << 16
    )
  }

  /// The size in the first frame header (ITU-T T.81, B.2.2).
  private static func sizeOfJPEG(_ bytes: [UInt8]) -> (Int, Int)? {
    var offset = 2
    while offset + 9 <= bytes.count, bytes[offset] == 0xFF {
      let marker = bytes[offset + 1]
      if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
        return (big(bytes, offset + 7, 2), big(bytes, offset + 5, 2))
      }
      // Fill bytes and markers without a length.
      if marker == 0xFF || marker == 0x01 || (0xD0...0xD8).contains(marker) {
        offset += marker == 0xFF ? 1 : 2
        continue
      }
      offset += 2 + max(2, big(bytes, offset + 2, 2))
    }
    return nil
  }

  /// The size in the first chunk of whatever kind (RFC 9649, 2.5 to 2.7).
  private static func sizeOfWebP(_ bytes: [UInt8]) -> (Int, Int)? {
    let little = { (offset: Int) in Int(bytes[offset]) | Int(bytes[offset + 1]) << 8 }
    switch String(decoding: bytes[12..<16], as: UTF8.self) {
    case "VP8 ": return (little(26) & 0x3FFF, little(28) & 0x3FFF)
    case "VP8L":
      let bits = little(21) | little(23) << 16
      return ((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
    case "VP8X":
      return (
        (little(24) | Int(bytes[26]) << 16) + 1, (little(27) | Int(bytes[29]) << 16) + 1
      )
    default: return nil
    }
  }

  private static func big(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> Int {
    bytes[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
  }
}
