/// A codec by libavcodec's short name (`h264`, `aac`, `subrip`), as ffprobe prints it.
public struct Codec: Hashable, Sendable, Codable, CustomStringConvertible,
  ExpressibleByStringLiteral
{
  /// The short name.
  public let name: String

  /// The codec of that short name.
  public init(_ name: String) { self.name = name }
  /// The codec of that short name.
  public init(stringLiteral value: String) { name = value }
  /// The short name.
  public var description: String { name }

  /// Writes the short name alone.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(name)
  }
  /// Reads the short name alone.
  public init(from decoder: any Decoder) throws {
    name = try decoder.singleValueContainer().decode(String.self)
  }
}

/// The dynamic range of a video track.
public enum DynamicRange: String, Hashable, Sendable, Codable {
  /// Standard.
  case sdr
  /// PQ with static or no metadata.
  case hdr10
  /// PQ with SMPTE 2094-40 dynamic metadata.
  case hdr10Plus = "hdr10+"
  /// Hybrid log-gamma.
  case hlg
  /// Dolby Vision, whatever its base layer.
  case dolbyVision = "dolby-vision"
}

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

/// What an audio track is for.
public enum TrackRole: String, Hashable, Sendable, Codable {
  /// The film's own sound.
  case main
  /// Somebody talking about the film.
  case commentary
  /// The film's sound with a description of the pictures.
  case description
}

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
  /// The codec: `subrip`, `webvtt`, `mov_text`, `ass`, `hdmv_pgs_subtitle`, …
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
