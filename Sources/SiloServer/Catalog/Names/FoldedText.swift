import Foundation

/// Text as two people would type it alike: without case, accents and punctuation.
enum FoldedText {
  /// The words of `text`, folded and joined by one space: `Amélie – le Film` is `amelie le film`.
  static func of(_ text: String) -> String {
    let plain = text.utf8.allSatisfy { $0 < 0x80 } ? text : withoutAccents(text)
    var result: [UInt8] = []
    result.reserveCapacity(plain.utf8.count)
    var isApart = false
    for byte in plain.utf8 {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
        if isApart, !result.isEmpty { result.append(0x20) }
        isApart = false
        result.append((65...90).contains(byte) ? byte | 0x20 : byte)
      // An apostrophe parts no words: `Director's` and `Directors` are alike.
      case UInt8(ascii: "'"): continue
      default: isApart = true
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func withoutAccents(_ text: String) -> String {
    var kept = ""
    let folded = text.folding(
      options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
    for scalar in folded.unicodeScalars {
      if let plain = letters[scalar] {
        kept += plain
      } else if scalar.isASCII || scalar.properties.isAlphabetic
        || scalar.properties.numericType != nil
        || scalar.properties.generalCategory == .nonspacingMark
        || scalar.properties.generalCategory == .spacingMark
      {
        kept.unicodeScalars.append(scalar)
      } else if scalar != "\u{2019}", scalar != "\u{2BC}" {
        kept += " "
      }
    }
    return kept
  }

  /// Letters that Unicode does not take apart although people type them so.
  private static let letters: [Unicode.Scalar: String] = [
    "ı": "i", "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th",
  ]
}
