/// A language field as a source wrote it: a language, or one of the private codes that broadcasters put there instead.
public struct StoredLanguage: Hashable, Sendable {
  /// The language, or `nil` when undetermined.
  public let language: LanguageTag?
  /// Whether the field says "the original sound" (`qaa`, DVB).
  public let isOriginalToken: Bool
  /// Whether the field says "audio description" (`qad`, DVB; `nar`, narrative).
  public let isDescriptionToken: Bool

  /// Reads a field; `nil` and an empty field are undetermined.
  public init(_ stored: String?) {
    let text = (stored ?? "").filter { !$0.isWhitespace && $0 != "\0" }.lowercased()
    isOriginalToken = text == "qaa" || text == "original"
    isDescriptionToken = text == "qad" || text == "nar"
    language = isOriginalToken || isDescriptionToken ? nil : LanguageTag(stored ?? "")
  }
}
