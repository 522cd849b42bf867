/// What a track's title tells when its tags do not: language, role, and kind of subtitle.
///
/// Words are compared without case and diacritics. A title that names two languages tells none.
public enum TitleInference {
  /// The language that a title names: `Türkçe`, `English 5.1`, `Português (Brasil)`; `nil` when none or several.
  public static func language(inTitle title: String) -> LanguageTag? {
    let words = words(of: title)
    guard !words.isEmpty else { return nil }
    let whole = words.joined(separator: " ")
    let found = LanguageNames.english[whole] ?? LanguageNames.native[whole] ?? named(among: words)
    return found.map { refined($0, by: Set(words)) }
  }

  /// The role that a title names, or `nil`: `Director's Commentary`, `Audiodeskription`, `AD`.
  public static func role(inTitle title: String) -> TrackRole? {
    let text = LanguageNames.fold(String(title.prefix(longestTitle)))
    // Description first: one Russian word for it ends in the word for commentary.
    if descriptionStems.contains(where: text.contains) || abbreviations(of: title, ["AD", "DVS"]) {
      return .description
    }
    return commentaryStems.contains(where: text.contains) ? .commentary : nil
  }

  /// Whether a subtitle's title says that it holds only what is not spoken in the audio's language.
  public static func isForced(inTitle title: String) -> Bool {
    !Set(words(of: title)).isDisjoint(with: forcedWords)
  }

  /// Whether a subtitle's title says that it also describes sounds: `English (SDH)`.
  public static func isHearingImpaired(inTitle title: String) -> Bool {
    let text = LanguageNames.fold(String(title.prefix(longestTitle)))
    return hearingStems.contains(where: text.contains)
      || abbreviations(of: title, ["SDH", "CC", "HI", "HOH"])
  }

  private static let longestTitle = 512

  private static func words(of title: String) -> [String] {
    LanguageNames.fold(String(title.prefix(longestTitle)))
      .split { !$0.isLetter && $0 != "'" && $0 != "’" && $0 != "‘" }.map(String.init)
  }

  private static func abbreviations(of title: String, _ wanted: Set<String>) -> Bool {
    title.prefix(longestTitle).split { !$0.isLetter }.contains { wanted.contains(String($0)) }
  }

  /// The one language that runs of up to three words name; a longer run wins over the words in it.
  private static func named(among words: [String]) -> LanguageTag? {
    var found: Set<LanguageTag> = []
    var start = 0
    while start < words.count {
      let run = (1...3).reversed().first { length in
        start + length <= words.count
          && LanguageNames.amongWords[words[start..<start + length].joined(separator: " ")] != nil
      }
      if let run {
        let name = words[start..<start + run].joined(separator: " ")
        if let tag = LanguageNames.amongWords[name] { found.insert(tag) }
      }
      start += run ?? 1
    }
    // "Brazilian Portuguese" names one language twice, once with its region.
    let languages = Set(found.map(\.primary))
    guard languages.count == 1 else { return nil }
    let regional = found.filter { $0.description != $0.primary }
    return regional.count == 1 ? regional.first : found.first { $0.description == $0.primary }
  }

  private static func refined(_ tag: LanguageTag, by words: Set<String>) -> LanguageTag {
    guard tag.description == tag.primary else { return tag }
    let row = refinements.first { $0.primary == tag.primary && !words.isDisjoint(with: $0.words) }
    return row.flatMap { LanguageTag($0.tag) } ?? tag
  }

  private static let refinements: [(primary: String, words: Set<String>, tag: String)] = [
    ("pt", ["brazil", "brasil", "brazilian", "br"], "pt-BR"),
    ("pt", ["portugal", "european"], "pt-PT"),
    ("es", ["latin", "latino", "latam", "latinoamerica", "latinoamericano", "mexico"], "es-419"),
    ("es", ["spain", "espana", "european"], "es-ES"),
    ("fr", ["canada", "canadian", "canadien", "quebec"], "fr-CA"),
    ("zh", ["simplified"], "zh-Hans"), ("zh", ["traditional"], "zh-Hant"),
    ("en", ["british", "britain", "uk"], "en-GB"), ("en", ["american"], "en-US"),
  ]

  private static let commentaryStems = stems([
    "commentar", "commentair", "kommentar", "komentar", "comentari", "commento del", "komentář",
    "yönetmen yorumu", "yorumlu", "комментари", "коментар", "コメンタリー", "评论音", "評論音",
  ])
  private static let descriptionStems = stems([
    "audio descri", "audiodescri", "audio-descri", "descriptive audio", "descriptive video",
    "described video", "video descri", "descriptive", "audiodeskri", "audio deskri",
    "audiobeskrivning", "betimleme", "hörfilm", "тифлокомментар", "visually impaired",
    "visual impaired", "sehbehindert", "for the blind", "aveugles", "音声解説", "synstolk",
    "kuvailutulkk", "synstolkning",
  ])
  private static let hearingStems = stems([
    "hearing impaired", "hard of hearing", "closed caption", "hörgeschädigt", "gehörlos",
    "malentendant", "sordi", "sordos", "işitme engelli", "для глухих", "slechthorenden",
  ])
  private static let forcedWords = Set(
    stems([
      "forced", "forzado", "forzados", "forzati", "erzwungen", "zorunlu", "forçado", "forçados",
    ]))

  private static func stems(_ words: [String]) -> [String] { words.map(LanguageNames.fold) }
}
