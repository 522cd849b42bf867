import SiloMedia

/// What the name of a subtitle file tells: `Film.tr.forced.srt`, `Film.en.sdh.srt`, `2_English.srt`.
struct SidecarName: Hashable, Sendable {
  /// The language, or `nil` when the name has none.
  var language: LanguageTag?
  /// Whether it holds only what is not spoken in the audio's language.
  var isForced = false
  /// Whether it also describes sounds.
  var isHearingImpaired = false
  /// Whether it is to be shown unless somebody chooses.
  var isDefault = false
  /// What else the name says.
  var title: String?

  /// Reads what stands between the film's name and the extension: `.tr.forced`; empty when nothing does.
  init(marks: String) {
    let words = marks.split { ".[]() ,+_".contains($0) }.map(String.init)
    var rest: [String] = []
    var hindi = false
    for word in words {
      switch word.lowercased() {
      case "forced", "foreign", "zorunlu": isForced = true
      case "sdh", "cc", "hoh": isHearingImpaired = true
      case "default": isDefault = true
      case "hi": hindi = true
      case _ where word.utf8.allSatisfy({ (48...57).contains($0) }): continue
      default: rest.append(word)
      }
    }
    // The last word that is a language counts: titles come before it.
    if let index = rest.lastIndex(where: { Self.language($0) != nil }) {
      language = Self.language(rest.remove(at: index))
    } else {
      language = TitleInference.language(inTitle: rest.joined(separator: " "))
      if language != nil { rest = [] }
    }
    if hindi {
      // `hi` is Hindi where nothing else names a language, and hearing impaired where something does.
      if language == nil { language = LanguageTag("hi") } else { isHearingImpaired = true }
    }
    title = rest.isEmpty ? nil : rest.joined(separator: " ")
    if let title {
      isForced = isForced || TitleInference.isForced(inTitle: title)
      isHearingImpaired = isHearingImpaired || TitleInference.isHearingImpaired(inTitle: title)
    }
  }

  /// A code, with or without a region, or a name; never a word that only happens to be the code of a small language.
  private static func language(_ word: String) -> LanguageTag? {
    let subtags = word.split(separator: "-")
    guard let first = subtags.first, !notCodes.contains(word.lowercased()) else { return nil }
    let isCode = (2...3).contains(first.utf8.count) && first.utf8.allSatisfy { $0 < 0x80 }
    if isCode { return LanguageTag(word) }
    return subtags.count == 1 ? LanguageTag(word) : nil
  }

  private static let notCodes: Set<String> = [
    "the", "sub", "web", "new", "cut", "dvd", "mkv", "srt",
  ]
}
