import SiloMedia
import Testing

@Suite struct TitleInferenceTests {
  @Test func `a title tells the language that it names`() {
    let rows: [(String, String?)] = [
      ("Türkçe", "tr"), ("TÜRKÇE", "tr"), ("turkce", "tr"), ("Turkish", "tr"), ("Türkçe 5.1", "tr"),
      ("Deutsch", "de"), ("German DTS-HD", "de"), ("English 5.1", "en"), ("English", "en"),
      ("Français", "fr"), ("日本語", "ja"), ("Japanese (Original)", "ja"), ("Русский", "ru"),
      ("Português (Brasil)", "pt-BR"), ("Brazilian Portuguese", "pt-BR"), ("Portuguese", "pt"),
      ("Latin American Spanish", "es-419"), ("Español (Latinoamérica)", "es-419"),
      ("Castellano", "es-ES"), ("French (Canada)", "fr-CA"), ("Cantonese", "yue"),
      ("Mandarin", "zh"), ("Traditional Chinese", "zh-Hant"), ("Bahasa Indonesia", "id"),
      ("Norsk", "no"), ("Director's commentary (English)", "en"),
      ("", nil), ("Stereo", nil), ("5.1", nil), ("English / German", nil), ("Commentary", nil),
      ("Track 1", nil), ("Even the Mon go", nil), ("The Italian Job in English", nil), ("AD", nil),
      ("Surround", nil), ("Main", nil), ("Original", nil), ("Director", nil), ("Dolby Atmos", nil),
    ]
    for (title, tag) in rows {
      #expect(TitleInference.language(inTitle: title)?.description == tag, "\(title)")
    }
  }

  @Test func `a title tells the role that it names`() {
    let rows: [(String, TrackRole?)] = [
      ("Commentary", .commentary), ("Director's commentary", .commentary),
      ("Audiokommentar", .commentary), ("Kommentar des Regisseurs", .commentary),
      ("Commentaire audio", .commentary), ("Comentario del director", .commentary),
      ("Yönetmen yorumu", .commentary), ("Комментарий режиссёра", .commentary),
      ("Audio Description", .description), ("English AD", .description), ("[AD]", .description),
      ("Audiodeskription", .description), ("Sesli Betimleme", .description),
      ("Audiodescripción", .description), ("Descriptive Audio", .description),
      ("Тифлокомментарий", .description), ("Hörfilmfassung", .description),
      ("", nil), ("English", nil), ("Lead", nil), ("ad", nil), ("Advent", nil), ("Stereo", nil),
    ]
    for (title, role) in rows { #expect(TitleInference.role(inTitle: title) == role, "\(title)") }
  }

  @Test func `a subtitle's title tells its kind`() {
    let rows: [(String, forced: Bool, hearing: Bool)] = [
      ("English (Forced)", true, false), ("forced", true, false), ("Zorunlu", true, false),
      ("English SDH", false, true), ("English [CC]", false, true), ("SDH Forced", true, true),
      ("İşitme engelli", false, true), ("Für Hörgeschädigte", false, true),
      ("English", false, false),
      ("Reinforced", false, false), ("Success", false, false), ("", false, false),
    ]
    for row in rows {
      #expect(TitleInference.isForced(inTitle: row.0) == row.forced, "\(row.0)")
      #expect(TitleInference.isHearingImpaired(inTitle: row.0) == row.hearing, "\(row.0)")
    }
  }
}
