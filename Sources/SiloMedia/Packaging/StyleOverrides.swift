/// What the override tags of ASS (`{\an8\i1}`) say, as far as other text codecs can say it too.
struct StyleOverrides: Hashable {
  /// The looks from here on.
  private(set) var style = StyledText.Style()
  /// Where the text stands; the first that is said counts.
  private(set) var place: Int?
  /// What was said beyond that.
  private(set) var losses: Set<StyledText.Loss> = []
  private var isPlaced = false

  /// Reads what stands between a pair of braces.
  mutating func read(_ text: String) {
    var depth = 0
    var tag = ""
    var tags: [String] = []
    for character in text {
      // The tags inside `\t(…)` belong to it.
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      if character == "\\", depth <= 0 {
        tags.append(tag)
        tag = ""
      } else {
        tag.append(character)
      }
    }
    // Before the first backslash stands a comment.
    for tag in (tags + [tag]).dropFirst() { apply(tag.filter { !$0.isWhitespace }) }
  }

  private mutating func apply(_ tag: String) {
    if tag.isEmpty { return }
    if let on = Self.number(tag, "i") {
      style.isItalic = on > 0
    } else if let weight = Self.number(tag, "b") {
      style.isBold = weight == 1 || weight >= 600
    } else if let on = Self.number(tag, "u") {
      style.isUnderlined = on > 0
    } else if let key = Self.number(tag, "an") {
      stand(at: key)
    } else if let key = Self.number(tag, "a") {
      // As SSA counts: 1 to 3 below, 5 to 7 above, 9 to 11 in the middle.
      stand(at: key > 8 ? key - 5 : key > 4 ? key + 2 : key)
    } else if tag == "c" || tag == "1c" {
      style.colour = nil
    } else if tag.hasPrefix("c&") || tag.hasPrefix("1c&") {
      colour(tag)
    } else if tag == "r" || tag.hasPrefix("r"), !tag.contains("(") {
      style = StyledText.Style()
      if tag != "r" { losses.insert(.effect) }
    } else if tag.hasPrefix("pos(") || tag.hasPrefix("move(") || tag.hasPrefix("org(") {
      losses.insert(.position)
    } else {
      losses.insert(.effect)
    }
  }

  private mutating func stand(at key: Int) {
    guard !isPlaced, (1...9).contains(key) else { return }
    isPlaced = true
    place = key == 2 ? nil : key
  }

  /// `c&HBBGGRR&`.
  private mutating func colour(_ tag: String) {
    let digits = tag.drop { $0 != "&" }.dropFirst().drop { $0 == "H" || $0 == "h" }
      .prefix { $0.isHexDigit }
    guard let value = UInt32(digits, radix: 16), value <= 0xFFFFFF else {
      losses.insert(.effect)
      return
    }
    style.colour = (value & 0xFF) << 16 | value & 0xFF00 | value >> 16
  }

  /// The number behind `name`, 0 without one; `nil` when it is another tag.
  private static func number(_ tag: String, _ name: String) -> Int? {
    guard tag.hasPrefix(name) else { return nil }
    let rest = tag.dropFirst(name.count)
    return rest.isEmpty ? 0 : rest.allSatisfy(\.isASCII) ? Int(rest) : nil
  }
}

/// Where the settings of a WebVTT cue put it, as one of nine places (W3C WebVTT, 3.5).
struct WebVTTPlace: Hashable {
  /// A key of a numeric pad; `nil` is below in the middle.
  private(set) var place: Int?
  /// Whether it stands where none of nine places is: in a region, or upright.
  private(set) var isMore = false

  /// Reads `line:0 align:start`.
  init(_ settings: String) {
    var row = 0
    var column = 1
    for setting in settings.split(whereSeparator: \.isWhitespace) {
      let parts = setting.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      let value = parts[1].prefix { $0 != "," }
      switch parts[0] {
      case "line": row = Self.row(value)
      case "align":
        if ["start", "left"].contains(value) { column = 0 }
        if ["end", "right"].contains(value) { column = 2 }
      case "region", "vertical": isMore = true
      default: break
      }
    }
    place = row == 0 && column == 1 ? nil : row * 3 + column + 1
  }

  /// 0 is below, 2 above; lines are counted as of a picture with about 15.
  private static func row(_ value: Substring) -> Int {
    let isPercent = value.hasSuffix("%")
    guard let number = Double(isPercent ? value.dropLast() : value), number >= 0 else { return 0 }
    let percent = isPercent ? number : number * 100 / 15
    return percent < 34 ? 2 : percent < 66 ? 1 : 0
  }
}
