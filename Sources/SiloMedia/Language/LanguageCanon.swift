import Foundation
import Synchronization

/// From a language as somebody wrote it to its canonical tag.
///
/// Foundation's ICU folds bibliographic, withdrawn and individual codes (`ger`, `iw`, `cmn`, `tl`); the tables here hold
/// only what it does not know: spellings that media files carry although no standard lists them.
enum LanguageCanon {
  /// No language is written in more characters than this; longer input is garbage.
  static let longestName = 64

  /// The canonical tag, or `nil` for undetermined, unknown and garbage; remembered between calls.
  static func tag(_ stored: String) -> LanguageTag? {
    guard stored.utf8.count <= 4 * longestName else { return nil }
    let text = stored.trimmingCharacters(in: .whitespacesAndNewlines.union(.controlCharacters))
      .lowercased().replacing("_", with: "-")
    guard !text.isEmpty, text.count <= longestName, !undetermined.contains(text) else {
      return nil
    }
    if let known = remembered.withLock({ $0[text] }) { return known }
    let tag = parse(text)
    // Bounded, because the text comes from outside.
    remembered.withLock { if $0.count < 1024 { $0[text] = .some(tag) } }
    return tag
  }

  /// The script that a region writes Chinese in.
  static func chineseScript(of region: String?) -> String? {
    switch region {
    case "TW", "HK", "MO": "Hant"
    case "CN", "SG", "MY": "Hans"
    default: nil
    }
  }

  private static let remembered = Mutex<[String: LanguageTag?]>([:])

  private static let undetermined: Set<String> = [
    "und", "mis", "unknown", "undetermined", "undefined", "none", "null", "n/a", "any", "original",
  ]

  /// Whole tags, and first subtags, that no standard has.
  private static let aliases: [String: String] = [
    "no-bok": "no", "no-nyn": "nn", "nb": "no", "nob": "no",
    "pob": "pt-BR", "ptb": "pt-BR", "pb": "pt-BR", "por-bra": "pt-BR",
    "chs": "zh-Hans", "cht": "zh-Hant", "zh-chs": "zh-Hans", "zh-cht": "zh-Hant",
    "spl": "es-419", "sp": "es", "es-la": "es-419", "es-latam": "es-419",
    "jp": "ja", "cz": "cs", "dk": "da", "gr": "el", "ua": "uk", "cn": "zh",
  ]

  private static func parse(_ text: String) -> LanguageTag? {
    if let whole = aliases[text] { return assemble(whole.split(separator: "-")) }
    let parts = text.split(separator: "-")
    guard let first = parts.first else { return nil }
    let isCode =
      (2...3).contains(first.utf8.count) && first.utf8.allSatisfy { (97...122).contains($0) }
    // A short word is a code or nothing: the names are looked up with codes themselves.
    if isCode || first == "i" || first == "art" { return code(text, parts) }
    return LanguageNames.english[LanguageNames.fold(text)]
  }

  private static func code(_ text: String, _ parts: [Substring]) -> LanguageTag? {
    if let alias = aliases[String(parts[0])] {
      return assemble(alias.split(separator: "-") + parts.dropFirst())
    }
    // Tags that were registered as a whole (`i-klingon`, `zh-min-nan`) are known to ICU.
    if parts[0] == "i" || parts[0] == "art" || text.hasPrefix("zh-min") {
      return assemble(icu(text))
    }
    // `zh-yue-HK`: the extended language is the language (RFC 5646, 4.5).
    if parts.count > 1, parts[1].utf8.count == 3, isLanguage(String(parts[1])),
      ["zh", "ar", "ms", "sgn", "sw", "uz", "lv", "kok"].contains(parts[0])
    {
      return assemble(Array(parts.dropFirst()))
    }
    return assemble(parts)
  }

  /// Builds the tag of what is valid among the subtags; an unknown region or extension is dropped, an unknown language
  /// makes it none.
  private static func assemble(_ parts: [Substring]) -> LanguageTag? {
    guard let first = parts.first else { return nil }
    var kept = [String(first)]
    var variants: [String] = []
    for part in parts.dropFirst() {
      if part.utf8.count == 1 { break }
      let isNumber = part.utf8.allSatisfy { (48...57).contains($0) }
      switch part.utf8.count {
      case 4 where Locale.Script(part.capitalized).isISOScript: kept.append(part.capitalized)
      case 2 where Locale.Region(part.uppercased()).isISORegion,
        3 where isNumber && Locale.Region(String(part)).isISORegion:
        kept.append(part.uppercased())
      case 4 where part.utf8.first.map { (48...57).contains($0) } == true, 5...8:
        variants.append(String(part))
      default: break
      }
    }
    let folded = icu(kept.joined(separator: "-"))
    guard var primary = folded.first.map(String.init), isLanguage(primary) else { return nil }
    if primary == "nb" { primary = "no" }
    let script = folded.dropFirst().first { $0.utf8.count == 4 }.map(String.init)
    let region = folded.dropFirst().first { (2...3).contains($0.utf8.count) }.map(String.init)
    return LanguageTag(primary: primary, script: script, region: region, variants: variants)
  }

  private static func icu(_ tag: String) -> [Substring] {
    let whole = Locale.identifier(.icu, from: tag)
    return whole.prefix { $0 != "@" }.split(separator: "_")
  }

  private static func isLanguage(_ code: String) -> Bool {
    code != "und" && code != "mis" && Locale.LanguageCode(code).isISOLanguage
  }
}
