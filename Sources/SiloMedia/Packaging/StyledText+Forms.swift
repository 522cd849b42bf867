extension StyledText {
  /// As SubRip writes it: `<b>`, `<i>`, `<u>` and `<font color>` nested and closed, a place as `{\an8}`.
  var subRip: String {
    let text = marked(text: { $0 }) { colour in
      ("<font color=\"#\(Self.hex(colour))\">", "</font>")
    }
    return isEmpty || place == nil ? text : "{\\an\(place ?? 2)}" + text
  }

  /// As WebVTT shows it: `<b>`, `<i>`, `<u>`, the eight colours that it has names for; other signs escaped.
  var webVTT: String {
    // An arrow would be taken for times.
    marked { text in
      text.replacing("-->", with: "→").replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        .replacing(">", with: "&gt;")
    } colour: { colour in
      TextColour.webVTTClasses.first { $0.value == colour }.map { ("<c.\($0.key)>", "</c>") }
    }
  }

  /// The settings of a WebVTT cue that stands where this does; `nil` below in the middle.
  var webVTTSettings: String? {
    guard let place, (1...9).contains(place) else { return nil }
    let line = ["", "line:50%", "line:0"][(place - 1) / 3]
    let align = ["align:start", "", "align:end"][(place - 1) % 3]
    return [line, align].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The runs with tags around them, nested.
  private func marked(
    text: (String) -> String, colour: (UInt32) -> (open: String, close: String)?
  ) -> String {
    var out = ""
    var open: [(open: String, close: String)] = []
    for run in runs {
      var wanted = run.style.colour.flatMap(colour).map { [$0] } ?? []
      if run.style.isBold { wanted.append(("<b>", "</b>")) }
      if run.style.isItalic { wanted.append(("<i>", "</i>")) }
      if run.style.isUnderlined { wanted.append(("<u>", "</u>")) }
      while !open.allSatisfy({ tag in wanted.contains { $0 == tag } }) {
        out += open.removeLast().close
      }
      for tag in wanted where !open.contains(where: { $0 == tag }) {
        out += tag.open
        open.append(tag)
      }
      out += text(run.text)
    }
    for tag in open.reversed() { out += tag.close }
    return out
  }

  private static func hex(_ colour: UInt32) -> String {
    let digits = String(colour & 0xFFFFFF, radix: 16)
    return String(repeating: "0", count: max(0, 6 - digits.count)) + digits
  }
}

/// Colours by their names.
enum TextColour {
  /// What WebVTT names (W3C WebVTT, 5.1), 0xRRGGBB.
  static let webVTTClasses: [String: UInt32] = [
    "white": 0xFFFFFF, "lime": 0x00FF00, "cyan": 0x00FFFF, "red": 0xFF0000, "yellow": 0xFFFF00,
    "magenta": 0xFF00FF, "blue": 0x0000FF, "black": 0x000000,
  ]

  private static let others: [String: UInt32] = [
    "aqua": 0x00FFFF, "fuchsia": 0xFF00FF, "gray": 0x808080, "grey": 0x808080, "green": 0x008000,
    "maroon": 0x800000, "navy": 0x000080, "olive": 0x808000, "orange": 0xFFA500,
    "purple": 0x800080, "silver": 0xC0C0C0, "teal": 0x008080,
  ]

  /// The value of `#rrggbb`, `rrggbb` or a name of HTML, in any case; `nil` of anything else.
  static func value(_ text: some StringProtocol) -> UInt32? {
    let text = text.lowercased()
    if let named = webVTTClasses[text] ?? others[text] { return named }
    let digits = text.drop { $0 == "#" }
    return digits.utf8.count == 6 ? UInt32(digits, radix: 16) : nil
  }
}
