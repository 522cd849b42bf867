/// One subtitle track.
public struct SubtitleTrack: Hashable, Sendable, Codable, Identifiable {
  /// The name in the inventory.
  public var id: TrackID
  /// Where its packets are found.
  public var place: TrackPlace
  /// The canonical language, or `nil` when undetermined.
  public var language: LanguageTag?
  /// The language as the source writes it.
  public var storedLanguage: String?
  /// The title that the container carries; NAME of an HLS rendition.
  public var title: String?
  /// The codec.
  public var codec: Codec
  /// Whether it holds only what is not spoken in the audio's language.
  public var isForced: Bool
  /// Whether it also describes sounds.
  public var isHearingImpaired: Bool
  /// Whether the source marks it as default.
  public var isDefault: Bool
  /// Whether it is a commentary in text.
  public var isCommentary: Bool
  /// The bytes of its packets.
  public var size: SizeEstimate

  /// A subtitle track of the given facts.
  public init(
    id: TrackID, place: TrackPlace, language: LanguageTag? = nil, storedLanguage: String? = nil,
    title: String? = nil, codec: Codec, isForced: Bool = false, isHearingImpaired: Bool = false,
    isDefault: Bool = false, isCommentary: Bool = false, size: SizeEstimate = .unknown
  ) {
    self.id = id
    self.place = place
    self.language = language
    self.storedLanguage = storedLanguage
    self.title = title
    self.codec = codec
    self.isForced = isForced
    self.isHearingImpaired = isHearingImpaired
    self.isDefault = isDefault
    self.isCommentary = isCommentary
    self.size = size
  }
}
