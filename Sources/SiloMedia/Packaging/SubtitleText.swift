/// The text of one subtitle packet as WebVTT shows it.
enum SubtitleText {
  /// The text of `payload`, which a packet of `codec` held; empty when there is nothing to show.
  static func webVTT(_ payload: [UInt8], codec: Codec) -> String {
    switch codec {
    case "mov_text":
      guard payload.count >= 2 else { return "" }
      let count = Int(payload[0]) << 8 | Int(payload[1])
      return lines(marked(String(decoding: payload[2...].prefix(count), as: UTF8.self)))
    case "ass", "ssa":
      // ReadOrder, Layer, Style, Name, three margins, Effect, then the text, which may have commas.
      let text = String(decoding: payload, as: UTF8.self)
      let fields = text.split(separator: ",", maxSplits: 8, omittingEmptySubsequences: false)
      return lines(fields.count == 9 ? styled(fields[8]) : "")
    case "webvtt": return lines(String(decoding: payload, as: UTF8.self))
    default: return lines(marked(String(decoding: payload, as: UTF8.self)))
    }
  }

  /// Keeps bold, italic and underline; other markup goes, other signs are escaped.
  private static func marked(_ text: String) -> String {
    var result = ""
    var rest = text[...]
    while let character = rest.popFirst() {
      switch character {
      case "&": result += "&amp;"
      case ">": result += "&gt;"
      case "<":
        guard let end = rest.firstIndex(of: ">"), isTag(rest[..<end]) else {
          result += "&lt;"
          continue
        }
        let tag = rest[..<end].lowercased()
        if ["b", "i", "u", "/b", "/i", "/u"].contains(tag) { result += "<\(tag)>" }
        rest = rest[rest.index(after: end)...]
      default: result.append(character)
      }
    }
    return result
  }

  private static func isTag(_ text: Substring) -> Bool {
    let name = text.drop { $0 == "/" }
    return name.count < 120 && name.first?.isLetter == true && !name.contains("<")
  }

  /// Drops the overrides of ASS and turns its breaks into lines.
  private static func styled(_ text: Substring) -> String {
    var result = ""
    var rest = text
    while let character = rest.popFirst() {
      if character == "{", let end = rest.firstIndex(of: "}") {
        rest = rest[rest.index(after: end)...]
      } else if character == "\\", let next = rest.first, "Nnh".contains(next) {
        result += next == "h" ? " " : "\n"
        rest.removeFirst()
      } else {
        result.append(character)
      }
    }
    return marked(result)
  }

  /// A blank line would end the cue, and an arrow would be taken for times.
  private static func lines(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).map { String($0).replacing("-->", with: "→") }
      .filter { !$0.allSatisfy(\.isWhitespace) }.joined(separator: "\n")
  }
}
