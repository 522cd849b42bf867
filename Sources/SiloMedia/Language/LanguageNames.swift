import Foundation

/// What languages are called, in English and by themselves.
enum LanguageNames {
  /// Every language's English name, folded.
  static let english: [String: LanguageTag] = {
    let locale = Locale(identifier: "en")
    return table { locale.localizedString(forLanguageCode: $0) }
      .merging(spoken) { _, spoken in spoken }
  }()

  /// Every language's own name, folded.
  static let native: [String: LanguageTag] = table {
    Locale(identifier: $0).localizedString(forLanguageCode: $0)
  }

  /// Names that may stand as one word among others in a title: those of widely spoken languages, because the names of
  /// small ones are words of the large ones (`Even`, `Mon`, `Ho`).
  static let amongWords: [String: LanguageTag] = english.merging(native) { english, _ in english }
    .filter { $0.key.count > 1 && widespread.contains($0.value.primary) }

  /// Without case and diacritics.
  static func fold(_ text: String) -> String {
    text.folding(
      options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
  }

  private static func table(_ name: (String) -> String?) -> [String: LanguageTag] {
    var table: [String: LanguageTag] = [:]
    for code in Locale.LanguageCode.isoLanguageCodes.map(\.identifier).sorted() {
      guard code != "und", code != "mis", let name = name(code), name != code,
        let tag = LanguageTag(code)
      else { continue }
      let key = fold(name)
      // The shorter code is the better known language of that name.
      if let other = table[key], other.primary.count <= tag.primary.count { continue }
      table[key] = tag
    }
    return table
  }

  /// Names in use that CLDR does not give.
  private static let spoken: [String: LanguageTag] = [
    ("mandarin", "zh"), ("cantonese", "yue"), ("castilian", "es-ES"), ("castellano", "es-ES"),
    ("latino", "es-419"), ("brazilian", "pt-BR"), ("flemish", "nl-BE"), ("vlaams", "nl-BE"),
    ("farsi", "fa"), ("tagalog", "fil"), ("bahasa indonesia", "id"), ("bokmal", "no"),
    ("nynorsk", "nn"), ("quebecois", "fr-CA"), ("vfq", "fr-CA"), ("vff", "fr-FR"),
    ("kurdish", "ku"), ("kurdi", "ku"), ("kurmanci", "ku"), ("norsk", "no"), ("ukrainska", "uk"),
    ("普通话", "zh"), ("國語", "zh"), ("国语", "zh"), ("粵語", "yue"), ("粤语", "yue"),
    ("español", "es"), ("简体中文", "zh-Hans"), ("繁體中文", "zh-Hant"), ("azerbaycanca", "az"),
  ].reduce(into: [:]) { table, row in
    table[fold(row.0)] = LanguageTag(row.1)
  }

  private static let widespread: Set<String> = [
    "af", "am", "ar", "az", "be", "bg", "bn", "bs", "ca", "cs", "cy", "da", "de", "el", "en", "es",
    "et", "eu", "fa", "fi", "fil", "fr", "ga", "gl", "gu", "he", "hi", "hr", "hu", "hy", "id", "is",
    "it", "ja", "ka", "kk", "km", "kn", "ko", "ku", "ky", "lo", "lt", "lv", "mk", "ml", "mn", "mr",
    "ms", "mt", "my", "ne", "nl", "nn", "no", "pa", "pl", "ps", "pt", "ro", "ru", "si", "sk", "sl",
    "so", "sq", "sr", "sv", "sw", "ta", "te", "th", "tr", "uk", "ur", "uz", "vi", "yue", "zh", "zu",
  ]
}
