/// Text subtitles as MP4 stores them (3GPP TS 26.245).
enum TextSample {
  private static let fontSize: UInt8 = 18

  /// What a `tx3g` sample entry holds behind its first eight bytes (5.16): white, below, centred.
  static let sampleDescription: [UInt8] = {
    var bytes: [UInt8] = [0, 0, 0, 0, 1, 0xFF, 0, 0, 0, 0]
    bytes += [0, 0, 0, 0, 0, 0, 0, 0]
    bytes += [0, 0, 0, 0, 0, 1, 0, fontSize, 0xFF, 0xFF, 0xFF, 0xFF]
    let font = Array("Sans-Serif".utf8)
    let size = UInt8(8 + 2 + 2 + 1 + font.count)
    bytes += [0, 0, 0, size] + Array("ftab".utf8) + [0, 1, 0, 1, UInt8(font.count)] + font
    return bytes
  }()

  /// A sample of `text`, looks as a `styl` box (5.17.1.1); cut at 65,535 bytes, which its length field can say.
  ///
  /// Where the text stands is not in it.
  static func movText(_ text: StyledText) -> [UInt8] {
    var bytes = Array(text.plain.utf8)
    if bytes.count > 0xFFFF {
      var end = 0xFFFF
      // Not inside a character.
      while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
      bytes.removeSubrange(end...)
    }
    let count = bytes.count { $0 & 0xC0 != 0x80 }
    return UInt16(bytes.count).bytes + bytes + styles(of: text, count: count)
  }

  /// The `styl` box of what differs from the sample description among the first `count` characters; empty without.
  private static func styles(of text: StyledText, count: Int) -> [UInt8] {
    var records: [UInt8] = []
    var start = 0
    for run in text.runs {
      let end = min(start + run.text.unicodeScalars.count, count)
      defer { start = end }
      guard run.style != StyledText.Style(), start < end else { continue }
      let style = run.style
      let face: UInt8 =
        (style.isBold ? 1 : 0) | (style.isItalic ? 2 : 0) | (style.isUnderlined ? 4 : 0)
      let colour = style.colour ?? 0xFF_FFFF
      records += UInt16(start).bytes + UInt16(end).bytes + [0, 1, face, fontSize]
      records += [
        UInt8(colour >> 16 & 0xFF), UInt8(colour >> 8 & 0xFF), UInt8(colour & 0xFF), 0xFF,
      ]
    }
    guard !records.isEmpty else { return [] }
    let size = UInt32(10 + records.count)
    return [UInt8(size >> 24), UInt8(size >> 16 & 0xFF)] + UInt16(size & 0xFFFF).bytes
      + Array("styl".utf8) + UInt16(records.count / 12).bytes + records
  }

  /// The text of a sample, or `nil` when it is empty or cut: such samples only end the one before.
  static func text(ofMovText sample: [UInt8]) -> StyledText? {
    guard sample.count > 2 else { return nil }
    let count = Int(sample[0]) << 8 | Int(sample[1])
    guard count > 0, count <= sample.count - 2 else { return nil }
    var signs = String(decoding: sample[2..<2 + count], as: UTF8.self).unicodeScalars
      .map { ($0, StyledText.Style()) }
    var rest = sample[(2 + count)...]
    while rest.count >= 8 {
      let size = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      guard size >= 8, size <= rest.count else { break }
      if rest.dropFirst(4).starts(with: "styl".utf8) {
        restyle(&signs, Array(rest.prefix(size).dropFirst(10)))
      }
      rest = rest.dropFirst(size)
    }
    return StyledText(signs)
  }

  private static func restyle(
    _ signs: inout [(Unicode.Scalar, StyledText.Style)], _ records: [UInt8]
  ) {
    for offset in stride(from: 0, to: records.count - records.count % 12, by: 12) {
      let start = Int(records[offset]) << 8 | Int(records[offset + 1])
      let end = min(Int(records[offset + 2]) << 8 | Int(records[offset + 3]), signs.count)
      guard start < end else { continue }
      let face = records[offset + 6]
      let colour = records[(offset + 8)..<(offset + 11)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      let style = StyledText.Style(
        isBold: face & 1 != 0, isItalic: face & 2 != 0, isUnderlined: face & 4 != 0,
        colour: colour == 0xFF_FFFF ? nil : colour)
      for index in start..<end { signs[index].1 = style }
    }
  }
}

extension UInt16 {
  fileprivate var bytes: [UInt8] { [UInt8(self >> 8), UInt8(self & 0xFF)] }
}
