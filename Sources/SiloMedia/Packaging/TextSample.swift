/// Text subtitles as MP4 and Matroska store them.
enum TextSample {
  /// What a `tx3g` sample entry holds behind its first eight bytes (3GPP TS 26.245, 5.16): white, below, centred.
  static let sampleDescription: [UInt8] = {
    var bytes: [UInt8] = [0, 0, 0, 0, 1, 0xFF, 0, 0, 0, 0]
    bytes += [0, 0, 0, 0, 0, 0, 0, 0]
    bytes += [0, 0, 0, 0, 0, 1, 0, 18, 0xFF, 0xFF, 0xFF, 0xFF]
    let font = Array("Sans-Serif".utf8)
    let size = UInt8(8 + 2 + 2 + 1 + font.count)
    bytes += [0, 0, 0, size] + Array("ftab".utf8) + [0, 1, 0, 1, UInt8(font.count)] + font
    return bytes
  }()

  /// A `mov_text` sample of plain text; cut at 65,535 bytes, which its length field can say.
  static func movText(_ text: String) -> [UInt8] {
    var bytes = Array(text.utf8)
    if bytes.count > 0xFFFF {
      var end = 0xFFFF
      // Not inside a character.
      while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
      bytes.removeSubrange(end...)
    }
    return [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)] + bytes
  }

  /// The text of a `mov_text` sample, or `nil` when it is empty or cut: such samples only end the one before.
  static func text(ofMovText sample: [UInt8]) -> String? {
    guard sample.count > 2 else { return nil }
    let count = Int(sample[0]) << 8 | Int(sample[1])
    guard count > 0, count <= sample.count - 2 else { return nil }
    return String(decoding: sample[2..<2 + count], as: UTF8.self)
  }
}
