extension TrackWishes.AudioWish: CustomStringConvertible {
  /// Reads one entry of a list: a language by code or name, `und`, `original`, `default` or `all`; `nil` for another word.
  public init?(_ text: String) {
    switch text.lowercased().filter({ !$0.isWhitespace }) {
    case "all": self = .all
    case "original", "qaa": self = .original
    case "default": self = .containerDefault
    case "und", "undetermined": self = .undetermined
    default:
      guard let tag = LanguageTag.named(text) else { return nil }
      self = .language(tag)
    }
  }

  /// The entry as it is written in a list.
  public var description: String {
    switch self {
    case .language(let tag): tag.description
    case .undetermined: "und"
    case .original: "original"
    case .containerDefault: "default"
    case .all: "all"
    }
  }
}

extension TrackWishes.SubtitleWish: CustomStringConvertible {
  /// The wish as it is written on the command line.
  public var description: String {
    switch self {
    case .all: "all"
    case .none: "none"
    case .languages(let list): list.map(\.description).joined(separator: ",")
    }
  }
}

extension TrackWishes {
  /// Reads an audio list: `tr,en`, `original,en`, `all`.
  ///
  /// - Throws: `MediaError` of code `usage` that names the word it does not know, and the nearest that it does.
  public static func audioList(_ text: String) throws(MediaError) -> [AudioWish] {
    var list: [AudioWish] = []
    for word in try words(of: text, option: "audio") {
      guard let wish = AudioWish(word) else {
        throw unknown(word, besides: ["all", "original", "default", "und"])
      }
      if !list.contains(wish) { list.append(wish) }
    }
    return list
  }

  /// Reads a subtitle list: `tr,en`, `all`, `none`.
  ///
  /// - Throws: `MediaError` of code `usage` that names the word it does not know, and the nearest that it does.
  public static func subtitleList(_ text: String) throws(MediaError) -> SubtitleWish {
    let words = try words(of: text, option: "subtitle")
    if words.count == 1, words[0].lowercased() == "all" { return .all }
    if words.count == 1, words[0].lowercased() == "none" { return .none }
    var list: [LanguageTag] = []
    for word in words {
      if word.lowercased() == "all" { return .all }
      guard let tag = LanguageTag.named(word) else {
        throw unknown(word, besides: ["all", "none"])
      }
      if !list.contains(tag) { list.append(tag) }
    }
    return .languages(list)
  }

  private static func words(of text: String, option: String) throws(MediaError) -> [String] {
    let words = text.split(separator: ",").map { String($0).trimmed }.filter { !$0.isEmpty }
    guard !words.isEmpty else {
      throw MediaError(.usage, "The \(option) list is empty; write languages such as tr,en or all.")
    }
    return words
  }

  private static func unknown(_ word: String, besides others: [String]) -> MediaError {
    let shown = word.prefix(40).filter { !$0.isNewline && $0 != "\0" }
    let advice = "use codes such as tr, en or pt-BR, or \(others.joined(separator: ", "))"
    guard let nearest = NearestWord.to(word, among: others) else {
      return MediaError(.usage, "\"\(shown)\" is no language: \(advice).")
    }
    return MediaError(
      .usage, "\"\(shown)\" is no language; did you mean \(nearest)? Otherwise \(advice).")
  }
}

extension LanguageTag {
  /// The language of a code, an English name, or its own name: `tr`, `Turkish`, `Türkçe`.
  static func named(_ text: String) -> LanguageTag? {
    if let tag = LanguageTag(text) { return tag }
    guard text.utf8.count <= 256, text.count > 3 else { return nil }
    return LanguageNames.native[LanguageNames.fold(text.trimmed)]
  }
}

extension String {
  fileprivate var trimmed: String {
    String(
      drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
