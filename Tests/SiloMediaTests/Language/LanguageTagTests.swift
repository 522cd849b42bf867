import SiloMedia
import Testing

@Suite struct LanguageTagTests {
  @Test func `every spelling of a language has one canonical tag`() {
    let rows: [(stored: String, tag: String?)] = [
      ("tr", "tr"), ("tur", "tr"), ("TUR", "tr"), (" tr ", "tr"), ("tr-TR", "tr-TR"), ("tr-", "tr"),
      ("Turkish", "tr"), ("German", "de"), ("german", "de"), ("ger", "de"), ("deu", "de"),
      ("fre", "fr"), ("fra", "fr"), ("chi", "zh"), ("zho", "zh"), ("cmn", "zh"), ("dut", "nl"),
      ("cze", "cs"), ("gre", "el"), ("ice", "is"), ("rum", "ro"), ("mo", "ro"), ("per", "fa"),
      ("iw", "he"), ("heb", "he"), ("in", "id"), ("ind", "id"), ("ji", "yi"), ("jw", "jv"),
      ("scc", "sr"), ("scr", "hr"), ("sh", "sr-Latn"), ("tl", "fil"), ("tgl", "fil"), ("nb", "no"),
      ("nob", "no"), ("nor", "no"), ("nno", "nn"), ("no-bok", "no"), ("no-nyn", "nn"),
      ("arb", "ar"), ("swh", "sw"), ("ekk", "et"), ("lvs", "lv"), ("zsm", "ms"), ("may", "ms"),
      ("pes", "fa"), ("npi", "ne"), ("khk", "mn"), ("uzn", "uz"), ("azj", "az"), ("ydd", "yi"),
      ("yue", "yue"), ("nan", "nan"), ("hak", "hak"), ("wuu", "wuu"), ("zh-min-nan", "nan"),
      ("zh-yue", "yue"), ("zh-cmn-Hans", "zh-Hans"), ("i-klingon", "tlh"), ("PT_br", "pt-BR"),
      ("pt-br", "pt-BR"), ("pob", "pt-BR"), ("ptb", "pt-BR"), ("pb", "pt-BR"), ("chs", "zh-Hans"),
      ("cht", "zh-Hant"), ("spl", "es-419"), ("es-419", "es-419"), ("jp", "ja"), ("cz", "cs"),
      ("dk", "da"), ("gr", "el"), ("ua", "uk"), ("cn", "zh"), ("zh-TW", "zh-TW"),
      ("zh-hant-tw", "zh-Hant-TW"), ("sr-latn-rs", "sr-Latn-RS"), ("ca-valencia", "ca-valencia"),
      ("en-x-foo", "en"), ("sv-tal", "sv"), ("mul", "mul"), ("ZXX", "zxx"),
      ("", nil), ("  ", nil), ("und", nil), ("UND", nil), ("mis", nil), ("unknown", nil),
      ("Undetermined", nil), ("xx", nil), ("qqq", nil), ("qaa", nil), ("INVALID", nil), ("1", nil),
      ("a", nil), ("-", nil), ("--", nil), ("\0\0\0", nil), ("😀", nil), ("no such thing", nil),
      (String(repeating: "tr-", count: 10_000), nil),
    ]
    for row in rows {
      #expect(LanguageTag(row.stored)?.description == row.tag, "\(row.stored.prefix(40))")
    }
  }

  @Test func `a canonical tag is its own canonical form`() {
    for text in [
      "de", "pt-BR", "zh-TW", "zh-Hant-TW", "sr-Latn", "fil", "no", "mul", "yue", "es-419",
    ] {
      let tag = LanguageTag(text)
      #expect(tag?.description == text)
      #expect(tag.flatMap { LanguageTag($0.description) } == tag)
    }
  }

  @Test func `the region tells the script of Chinese`() {
    let rows: [(String, String?)] = [
      ("zh", nil), ("zh-TW", "Hant"), ("zh-HK", "Hant"), ("zh-CN", "Hans"), ("zh-SG", "Hans"),
      ("zh-Hant", "Hant"), ("zh-Hans-TW", "Hans"), ("de-CN", nil),
    ]
    for (text, script) in rows { #expect(LanguageTag(text)?.script == script, "\(text)") }
  }

  @Test func `containers get their three letters`() {
    let rows: [(String, terminological: String?, bibliographic: String?)] = [
      ("tr", "tur", "tur"), ("de", "deu", "ger"), ("zh-Hant", "zho", "chi"),
      ("pt-BR", "por", "por"),
      ("fil", "fil", "fil"), ("yue", "yue", "yue"), ("no", "nor", "nor"), ("fr-CA", "fra", "fre"),
      ("he", "heb", "heb"), ("sr-Latn", "srp", "srp"), ("mul", "mul", "mul"), ("zxx", "zxx", "zxx"),
      ("ms", "msa", "may"), ("sw", "swa", "swa"), ("et", "est", "est"), ("sq", "sqi", "alb"),
    ]
    for (text, terminological, bibliographic) in rows {
      #expect(LanguageTag(text)?.iso639_2T == terminological, "\(text)")
      #expect(LanguageTag(text)?.iso639_2B == bibliographic, "\(text)")
    }
  }

  @Test func `languages have names for people`() {
    let rows = [
      ("tr", "Turkish", "Türkçe"), ("de", "German", "Deutsch"),
      ("pt-BR", "Portuguese (Brazil)", "português (Brasil)"), ("ja", "Japanese", "日本語"),
      ("zxx", "no speech", "no speech"),
    ]
    for (text, english, native) in rows {
      #expect(LanguageTag(text)?.englishName == english)
      #expect(LanguageTag(text)?.nativeName == native)
    }
  }

  @Test func `private codes of broadcasters are told apart from languages`() {
    #expect(StoredLanguage("qaa").isOriginalToken)
    #expect(StoredLanguage("QAD").isDescriptionToken)
    #expect(StoredLanguage("nar").isDescriptionToken)
    for stored in ["qaa", "qad", "nar", "und", nil] {
      #expect(StoredLanguage(stored).language == nil)
    }
    #expect(StoredLanguage("tur").language?.description == "tr")
    #expect(!StoredLanguage("tur").isOriginalToken)
  }

  @Test func `tags are canonical from any thread`() async {
    let tags = await withTaskGroup(of: String?.self) { group in
      for n in 0..<64 { group.addTask { LanguageTag(n % 2 == 0 ? "ger" : "Deu")?.description } }
      return await group.reduce(into: Set<String?>()) { $0.insert($1) }
    }
    #expect(tags == ["de"])
  }
}
