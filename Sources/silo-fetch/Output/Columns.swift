/// How many columns text takes on a terminal, as far as a table or a progress line needs to know.
enum Columns {
  /// The columns of `text`: two for East Asian wide characters and emoji, none for combining marks.
  static func count(_ text: String) -> Int {
    // Most text is; a table of ten thousand rows is measured in a blink then.
    if text.utf8.allSatisfy({ (0x20..<0x7f).contains($0) }) { return text.utf8.count }
    return text.reduce(0) { $0 + width(of: $1) }
  }

  /// `text` with blanks up to `columns`.
  static func padded(_ text: String, to columns: Int) -> String {
    text + String(repeating: " ", count: max(0, columns - count(text)))
  }

  /// `text` cut to `columns`, with an ellipsis when something was lost.
  static func cut(_ text: String, to columns: Int) -> String {
    guard count(text) > columns else { return text }
    guard columns > 0 else { return "" }
    var kept = ""
    var used = 1
    for character in text {
      used += width(of: character)
      if used > columns { break }
      kept.append(character)
    }
    return kept + "…"
  }

  private static func width(of character: Character) -> Int {
    guard let scalar = character.unicodeScalars.first else { return 0 }
    switch scalar.value {
    case 0x1100...0x115f, 0x2e80...0x303e, 0x3041...0xa4cf, 0xac00...0xd7a3, 0xf900...0xfaff,
      0xfe30...0xfe6f, 0xff00...0xff60, 0xffe0...0xffe6, 0x1f300...0x1faff, 0x20000...0x3fffd:
      return 2
    default:
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .enclosingMark, .format, .control: return 0
      default: return 1
      }
    }
  }
}
