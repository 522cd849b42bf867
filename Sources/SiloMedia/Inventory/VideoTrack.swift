/// One video track.
public struct VideoTrack: Hashable, Sendable, Codable, Identifiable {
  /// The name in the inventory.
  public var id: TrackID
  /// Where its packets are found.
  public var place: TrackPlace
  /// The codec.
  public var codec: Codec
  /// Width of the picture in pixels.
  public var width: Int?
  /// Height of the picture in pixels.
  public var height: Int?
  /// Pictures a second, on average.
  public var frameRate: Double?
  /// The dynamic range.
  public var dynamicRange: DynamicRange?
  /// The title that the container carries.
  public var title: String?
  /// The language of texts in the picture.
  public var language: LanguageTag?
  /// Whether the container marks it as default.
  public var isDefault: Bool
  /// The bytes of its packets.
  public var size: SizeEstimate

  /// A video track of the given facts.
  public init(
    id: TrackID, place: TrackPlace, codec: Codec, width: Int? = nil, height: Int? = nil,
    frameRate: Double? = nil, dynamicRange: DynamicRange? = nil, title: String? = nil,
    language: LanguageTag? = nil, isDefault: Bool = false, size: SizeEstimate = .unknown
  ) {
    self.id = id
    self.place = place
    self.codec = codec
    self.width = width
    self.height = height
    self.frameRate = frameRate
    self.dynamicRange = dynamicRange
    self.title = title
    self.language = language
    self.isDefault = isDefault
    self.size = size
  }
}
