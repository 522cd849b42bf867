/// A canonical BCP-47 language tag (`tr`, `pt-BR`, `zh-Hant`); undetermined is never one: that is `nil`.
public struct LanguageTag: Hashable, Sendable, CustomStringConvertible {
  /// The canonical tag.
  public let description: String

  /// The canonical form of a tag as containers, servers and people write it (`tur`, `ger`, `PT_br`, `German`), or
  /// `nil` for undetermined and for what is no language.
  public init?(_ stored: String) {
    guard !stored.isEmpty else { return nil }
    description = stored
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
