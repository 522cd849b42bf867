import SiloMedia
import Testing

@Suite struct LanguageTierTests {
  @Test func `a track is as near to a wish as a speaker would say`() {
    let rows: [(wanted: String, stored: String, tier: Int?)] = [
      ("tr", "tur", 0), ("tur", "tr", 0), ("tr", "tr-TR", 1), ("tr-TR", "tr", 2), ("en", "eng", 0),
      ("en-US", "en-GB", 4), ("de", "ger", 0), ("de", "deu", 0), ("zh", "chi", 0), ("zh", "zho", 0),
      ("zh", "cmn", 0), ("zh", "yue", nil), ("zh-Hans", "zh", 2), ("zh-Hant", "zh-TW", 1),
      ("zh-Hant", "zh-Hans", 5), ("zh-TW", "chi", 2), ("pt-BR", "por", 2), ("pt-BR", "pt-PT", 4),
      ("pt", "pt-BR", 1), ("pt-BR", "pob", 0), ("no", "nob", 0), ("nb", "nor", 0), ("nb", "nno", 6),
      ("he", "heb", 0), ("iw", "he", 0), ("id", "ind", 0), ("in", "id", 0), ("id", "may", nil),
      ("fil", "tgl", 0), ("tl", "fil", 0), ("fi", "fil", nil), ("sr", "scc", 0), ("hr", "srp", nil),
      ("ar", "arb", 0), ("es-MX", "es-419", 3), ("en", "mul", nil), ("mul", "mul", 0),
      ("zxx", "zxx", 0), ("zh-TW", "zh-Hant-TW", 0), ("zh-TW", "zh-Hant", 2), ("en-AU", "en-GB", 3),
      ("en-AU", "en-US", 4), ("fr-CA", "fr-FR", 4), ("de-AT", "de-DE", 4), ("sr", "sr-Latn", 1),
    ]
    for row in rows {
      let tier = LanguageTag(row.wanted).flatMap { wanted in
        LanguageTag(row.stored).flatMap { LanguageTier(wanted: wanted, stored: $0) }
      }
      #expect(tier?.rawValue == row.tier, "\(row.wanted) → \(row.stored)")
    }
  }
}
