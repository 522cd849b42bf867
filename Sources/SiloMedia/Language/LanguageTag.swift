/// A canonical BCP-47 language tag (`tr`, `pt-BR`, `zh-Hant`); undetermined is never one: that is `nil`.
///
/// Two spellings of one language give the same tag, so tags can be compared: `ger`, `deu`, `de` and `German` are `de`,
/// `iw` is `he`, `cmn` is `zh`, `nb` is `no`, `pob` is `pt-BR`. `mul` and `zxx` are tags of themselves.
public struct LanguageTag: Hashable, Sendable, CustomStringConvertible {
  /// The canonical tag.
  public let description: String
  /// The language alone: `pt` of `pt-BR`.
  public let primary: String
  /// The script (ISO 15924) that the tag states or, of Chinese, that its region writes; `nil` when neither says.
  public let script: String?
  /// The region (ISO 3166 or UN M.49): `BR` of `pt-BR`.
  public let region: String?

  /// Several languages in one track.
  public static let multiple = LanguageTag(primary: "mul", script: nil, region: nil)
  /// No speech: music and effects only.
  public static let noSpeech = LanguageTag(primary: "zxx", script: nil, region: nil)

  /// The canonical form of a tag as containers, servers and people write it (`tur`, `ger`, `PT_br`, `German`), or
  /// `nil` for undetermined and for what is no language.
  ///
  /// The first call of a process costs about 20 ms (ICU is loaded), later ones are remembered.
  public init?(_ stored: String) {
    guard let tag = LanguageCanon.tag(stored) else { return nil }
    self = tag
  }

  /// A tag of parts that are canonical already.
  init(primary: String, script: String?, region: String?, variants: [String] = []) {
    self.primary = primary
    self.region = region
    self.script = script ?? (primary == "zh" ? LanguageCanon.chineseScript(of: region) : nil)
    description = ([primary, script, region].compactMap { $0 } + variants).joined(separator: "-")
  }
}

extension LanguageTag: Codable {
  /// Reads the canonical tag.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let tag = LanguageTag(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\(text) is no language")
    }
    self = tag
  }

  /// Writes the canonical tag.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
