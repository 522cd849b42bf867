/// Reads the markup of a subtitle text: tags and entities (W3C WebVTT, 3.4 and 6.4), override tags of ASS.
///
/// SubRip has no specification: what its players agree on are the tags of HTML and the overrides of ASS. WebVTT has none of
/// these, but is made of SubRip so often that an override in it is one, and never a text to be shown.
struct StyledTextReader {
  /// Whose markup it is.
  enum Dialect: Hashable {
    case subRip
    case webVTT
    /// The text field of an event.
    case ass
  }

  private struct OpenTag {
    var name: String
    var colour: UInt32?
  }

  private let input: [Unicode.Scalar]
  private let dialect: Dialect
  /// Behind them nothing can be a tag; known once, so that many a `<` costs no search each.
  private let lastClose: Int
  private let lastBrace: Int
  private var index = 0
  private var signs: [(Unicode.Scalar, StyledText.Style)] = []
  private var open: [OpenTag] = []
  private var overrides = StyleOverrides()
  /// What follows from the tags that are open.
  private var style = StyledText.Style()
  private var losses: Set<StyledText.Loss> = []

  /// More than this are not kept open: nobody writes so many.
  private static let depth = 32

  /// The text of a cue or a packet; `settings` are those of a WebVTT cue.
  static func read(_ text: String, as dialect: Dialect, settings: String? = nil) -> StyledText {
    var reader = StyledTextReader(text, dialect)
    reader.read()
    let settings = WebVTTPlace(settings ?? "")
    var losses = reader.losses.union(reader.overrides.losses)
    if settings.isMore { losses.insert(.position) }
    return StyledText(
      reader.signs, place: reader.overrides.place ?? settings.place, losses: losses)
  }

  private init(_ text: String, _ dialect: Dialect) {
    input = Array(text.unicodeScalars)
    self.dialect = dialect
    lastClose = input.lastIndex(of: ">") ?? -1
    lastBrace = input.lastIndex(of: "}") ?? -1
  }

  private mutating func read() {
    while index < input.count {
      switch input[index] {
      case "<": readTag()
      case "&": readEntity()
      case "{": readOverrides()
      case "\\" where dialect == .ass: readBreak()
      case "\u{0}": index += 1
      default: show(input[index])
      }
    }
  }

  private mutating func show(_ scalar: Unicode.Scalar, of count: Int = 1) {
    signs.append((scalar, style))
    index += count
  }

  private mutating func readTag() {
    let next = index + 1 < input.count ? input[index + 1] : " "
    var isTag = next == "/" || next.properties.isAlphabetic
    if dialect == .webVTT { isTag = isTag || next == "." || next == ">" || next.isDigit }
    guard isTag, index < lastClose, let close = input[index...].firstIndex(of: ">") else {
      return show("<")
    }
    let isEnd = next == "/"
    let inside = input[(index + (isEnd ? 2 : 1))..<close]
    var text = ""
    text.unicodeScalars.append(contentsOf: inside)
    text = text.lowercased()
    index = close + 1
    let words = text.split(maxSplits: 1) { $0.isWhitespace }
    let names = (words.first ?? "").split(separator: ".", omittingEmptySubsequences: false)
    let name = names.first.map(String.init) ?? ""
    switch name {
    // Above its base a reading needs no marks; beside it, it does.
    case "rt": show(isEnd ? ")" : "(", of: 0)
    case "b", "i", "u", "c", "font", "v", "lang", "ruby":
      if isEnd { closeTag(name) } else { openTag(name, names.dropFirst(), words.dropFirst().first) }
    case "s", "strike": losses.insert(.effect)
    default: break
    }
  }

  private mutating func openTag(
    _ name: String, _ classes: ArraySlice<Substring>, _ rest: Substring?
  ) {
    guard open.count < Self.depth else { return }
    var tag = OpenTag(name: name)
    if name == "font" {
      tag.colour = rest.flatMap { Self.attribute("color", of: $0) }.flatMap { TextColour.value($0) }
      let isMore = ["face=", "size="].contains { rest?.contains($0) == true }
      if isMore || tag.colour == nil { losses.insert(.effect) }
    }
    for name in classes {
      if let colour = TextColour.webVTTClasses[String(name)] {
        tag.colour = colour
      } else if !name.isEmpty {
        losses.insert(.effect)
      }
    }
    open.append(tag)
    restyle()
  }

  private mutating func closeTag(_ name: String) {
    guard let depth = open.lastIndex(where: { $0.name == name }) else { return }
    open.remove(at: depth)
    restyle()
  }

  private mutating func restyle() {
    style = overrides.style
    for tag in open {
      if tag.name == "b" { style.isBold = true }
      if tag.name == "i" { style.isItalic = true }
      if tag.name == "u" { style.isUnderlined = true }
      style.colour = tag.colour ?? style.colour
    }
  }

  /// The value of `name="…"`, with or without quotes.
  private static func attribute(_ name: String, of text: Substring) -> String? {
    guard let mark = text.firstRange(of: name + "=") else { return nil }
    let value = text[mark.upperBound...]
    guard let quote = value.first, quote == "\"" || quote == "'" else {
      return String(value.prefix { !$0.isWhitespace })
    }
    return String(value.dropFirst().prefix { $0 != quote })
  }

  private mutating func readOverrides() {
    let next = index + 1 < input.count ? input[index + 1] : " "
    guard next == "\\" || dialect == .ass, index < lastBrace,
      let close = input[index...].firstIndex(of: "}")
    else { return show("{") }
    var text = ""
    text.unicodeScalars.append(contentsOf: input[(index + 1)..<close])
    overrides.read(text)
    restyle()
    index = close + 1
  }

  /// `\N`, `\n` and `\h` of ASS.
  private mutating func readBreak() {
    switch index + 1 < input.count ? input[index + 1] : " " {
    case "N", "n": show("\n", of: 2)
    case "h": show(" ", of: 2)
    default: show("\\")
    }
  }

  private mutating func readEntity() {
    let longest = 10
    let window = input[index..<min(index + longest, input.count)]
    guard dialect != .ass, let end = window.firstIndex(of: ";") else { return show("&") }
    var name = ""
    name.unicodeScalars.append(contentsOf: input[(index + 1)..<end])
    guard let scalar = Self.entity(name) else { return show("&") }
    show(scalar, of: end + 1 - index)
  }

  private static let entities: [String: Unicode.Scalar] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}",
    "lrm": "\u{200E}", "rlm": "\u{200F}",
  ]

  private static func entity(_ name: String) -> Unicode.Scalar? {
    guard name.hasPrefix("#") else { return entities[name] }
    let isHex = name.hasPrefix("#x") || name.hasPrefix("#X")
    let value = UInt32(name.dropFirst(isHex ? 2 : 1), radix: isHex ? 16 : 10)
    return value.flatMap { $0 >= 0x20 ? Unicode.Scalar($0) : nil }
  }
}

extension Unicode.Scalar {
  fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
}
