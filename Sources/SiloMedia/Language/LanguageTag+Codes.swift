import Foundation

extension LanguageTag {
  /// The three letters of ISO 639-2/T or 639-3 (`tur`, `deu`, `zho`), as MP4 writes them; `nil` when there are none.
  public var iso639_2T: String? {
    if primary.utf8.count == 3 { return primary }
    return Locale.LanguageCode(primary).identifier(.alpha3)
  }

  /// The three letters of ISO 639-2/B (`tur`, `ger`, `chi`), as Matroska's Language element writes them; `nil` when
  /// there are none.
  public var iso639_2B: String? {
    iso639_2T.map { Self.bibliographic[$0] ?? $0 }
  }

  /// The English name for tables and messages: `Portuguese (Brazil)`.
  public var englishName: String {
    switch primary {
    case "mul": "several languages"
    case "zxx": "no speech"
    default: Locale(identifier: "en").localizedString(forIdentifier: description) ?? description
    }
  }

  /// What its speakers call it: `Türkçe`.
  public var nativeName: String {
    switch primary {
    case "mul", "zxx": englishName
    default:
      Locale(identifier: description).localizedString(forIdentifier: description) ?? description
    }
  }

  /// The twenty languages whose bibliographic code is another one (ISO 639-2).
  private static let bibliographic: [String: String] = [
    "bod": "tib", "ces": "cze", "cym": "wel", "deu": "ger", "ell": "gre", "eus": "baq",
    "fas": "per", "fra": "fre", "hye": "arm", "isl": "ice", "kat": "geo", "mkd": "mac",
    "mri": "mao", "msa": "may", "mya": "bur", "nld": "dut", "ron": "rum", "slk": "slo",
    "sqi": "alb", "zho": "chi",
  ]
}
