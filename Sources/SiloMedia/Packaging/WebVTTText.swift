/// The text of a cue: tags and entities (W3C WebVTT, 3.4 and 6.4).
struct WebVTTText {
  private let input: [Unicode.Scalar]
  private let keepsStyles: Bool
  /// Behind it nothing can be a tag; known once, so that many a `<` costs no search each.
  private let lastClose: Int
  private var index = 0
  private var output = String.UnicodeScalarView()
  /// The styles that are open, outermost first.
  private var open: [String] = []

  /// `text` without tags but, where styles are kept, `<b>`, `<i>` and `<u>`.
  static func converted(_ text: String, keepsStyles: Bool) -> String {
    var reader = WebVTTText(text, keepsStyles)
    reader.read()
    return String(reader.output).split(separator: "\n")
      .filter { line in line.contains { !$0.isWhitespace } }.joined(separator: "\n")
  }

  private init(_ text: String, _ keepsStyles: Bool) {
    input = Array(text.unicodeScalars)
    self.keepsStyles = keepsStyles
    lastClose = input.lastIndex(of: ">") ?? -1
  }

  private mutating func read() {
    while index < input.count {
      switch input[index] {
      case "<": readTag()
      case "&": readEntity()
      case "\u{0}": index += 1
      default:
        output.append(input[index])
        index += 1
      }
    }
    while let name = open.popLast() { write("</\(name)>") }
  }

  private mutating func readTag() {
    let next = index + 1 < input.count ? input[index + 1] : " "
    let isTag =
      next == "/" || next == "." || next == ">" || next.properties.isAlphabetic
      || ("0"..."9").contains(next)
    guard isTag, index < lastClose, let close = input[index...].firstIndex(of: ">") else {
      output.append("<")
      index += 1
      return
    }
    let isEnd = next == "/"
    let inside = input[(index + (isEnd ? 2 : 1))..<close]
    let letters = inside.prefix { $0 != "." && $0 != " " && $0 != "\t" && $0 != "\n" }
    var name = ""
    name.unicodeScalars.append(contentsOf: letters)
    index = close + 1
    switch name.lowercased() {
    // Above its base a reading needs no marks; beside it, it does.
    case "rt": output.append(isEnd ? ")" : "(")
    case let style where ["b", "i", "u"].contains(style) && keepsStyles:
      if isEnd { closeStyle(style) } else { openStyle(style) }
    default: break
    }
  }

  private mutating func openStyle(_ name: String) {
    guard !open.contains(name) else { return }
    open.append(name)
    write("<\(name)>")
  }

  /// Ends a style and keeps the nesting of those that were opened inside it.
  private mutating func closeStyle(_ name: String) {
    guard let depth = open.lastIndex(of: name) else { return }
    let inner = open[(depth + 1)...]
    for other in inner.reversed() { write("</\(other)>") }
    write("</\(name)>")
    open.remove(at: depth)
    for other in inner { write("<\(other)>") }
  }

  private mutating func readEntity() {
    let longest = 10
    let window = input[index..<min(index + longest, input.count)]
    guard let end = window.firstIndex(of: ";") else {
      output.append("&")
      index += 1
      return
    }
    var name = ""
    name.unicodeScalars.append(contentsOf: input[(index + 1)..<end])
    guard let scalar = Self.entity(name) else {
      output.append("&")
      index += 1
      return
    }
    output.append(scalar)
    index = end + 1
  }

  private static func entity(_ name: String) -> Unicode.Scalar? {
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    case "nbsp": return "\u{A0}"
    case "lrm": return "\u{200E}"
    case "rlm": return "\u{200F}"
    default:
      guard name.hasPrefix("#") else { return nil }
      let isHex = name.hasPrefix("#x") || name.hasPrefix("#X")
      let value = UInt32(name.dropFirst(isHex ? 2 : 1), radix: isHex ? 16 : 10)
      return value.flatMap { $0 >= 0x20 ? Unicode.Scalar($0) : nil }
    }
  }

  private mutating func write(_ text: String) {
    output.append(contentsOf: text.unicodeScalars)
  }
}
