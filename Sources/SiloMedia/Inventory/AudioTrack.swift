/// One audio track.
public struct AudioTrack: Hashable, Sendable, Codable, Identifiable {
  /// A fact that the container does not carry and that was read from the track's title instead.
  public enum Inference: String, Hashable, Sendable, Codable {
    /// The language.
    case language
    /// The role.
    case role
  }

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
  /// The number of channels.
  public var channels: Int?
  /// The channel layout as libav describes it: `stereo`, `5.1(side)`.
  public var layout: String?
  /// Samples a second.
  public var sampleRate: Int?
  /// Whether the source marks it as default.
  public var isDefault: Bool
  /// What it is for.
  public var role: TrackRole
  /// Whether the source marks it as the original language.
  public var isOriginal: Bool
  /// Whether it can be played at all: false for a codec nobody here can name.
  public var isUsable: Bool
  /// What was read from the title.
  public var inferences: Set<Inference>
  /// The bytes of its packets.
  public var size: SizeEstimate
  /// Bits a second, on average.
  public var bitsPerSecond: Int?

  /// The position among the audio streams of the source, from 0.
  public var index: Int { id.ordinal }

  /// An audio track of the given facts.
  public init(
    id: TrackID, place: TrackPlace, language: LanguageTag? = nil, storedLanguage: String? = nil,
    title: String? = nil, codec: Codec, channels: Int? = nil, layout: String? = nil,
    sampleRate: Int? = nil, isDefault: Bool = false, role: TrackRole = .main,
    isOriginal: Bool = false, isUsable: Bool = true, inferences: Set<Inference> = [],
    size: SizeEstimate = .unknown, bitsPerSecond: Int? = nil
  ) {
    self.id = id
    self.place = place
    self.language = language
    self.storedLanguage = storedLanguage
    self.title = title
    self.codec = codec
    self.channels = channels
    self.layout = layout
    self.sampleRate = sampleRate
    self.isDefault = isDefault
    self.role = role
    self.isOriginal = isOriginal
    self.isUsable = isUsable
    self.inferences = inferences
    self.size = size
    self.bitsPerSecond = bitsPerSecond
  }
}
