/// What goes into a page.
enum HTMLText {
  /// Text as it may stand in an element and in an attribute with double quotes.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      // Nothing that cannot be seen, or turns the direction of what follows.
      case "\u{0}"..<"\u{20}", "\u{7F}"..<"\u{A0}", "\u{200E}"..."\u{200F}",
        "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}":
        result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
