public import struct Foundation.URL

/// One EXT-X-MEDIA: an alternative rendition of a variant (RFC 8216, 4.3.4.1).
public struct Rendition: Hashable, Sendable {
  /// TYPE.
  public enum Kind: String, Hashable, Sendable, Codable {
    /// Sound.
    case audio = "AUDIO"
    /// Pictures.
    case video = "VIDEO"
    /// Subtitles.
    case subtitles = "SUBTITLES"
    /// Captions inside the video.
    case closedCaptions = "CLOSED-CAPTIONS"
  }

  /// TYPE.
  public var kind: Kind
  /// GROUP-ID.
  public var groupID: String
  /// NAME.
  public var name: String?
  /// LANGUAGE as written.
  public var language: String?
  /// ASSOC-LANGUAGE as written.
  public var associatedLanguage: String?
  /// DEFAULT.
  public var isDefault: Bool
  /// AUTOSELECT, which DEFAULT implies.
  public var isAutoselect: Bool
  /// FORCED.
  public var isForced: Bool
  /// CHARACTERISTICS, one entry for each.
  public var characteristics: [String]
  /// CHANNELS as written: `2`, `6`, `16/JOC`.
  public var channels: String?
  /// SAMPLE-RATE in samples a second.
  public var sampleRate: Int?
  /// INSTREAM-ID: `CC1`, `SERVICE3`.
  public var instreamID: String?
  /// STABLE-RENDITION-ID.
  public var stableID: String?
  /// Where its media playlist is fetched; `nil` when it is muxed into the variant.
  public var url: URL?
  /// The line of the tag, from 1.
  public var line: Int

  /// The number of channels that CHANNELS begins with.
  public var channelCount: Int? {
    guard let digits = channels?.prefix(while: { $0 != "/" }), let count = Int(digits), count > 0
    else { return nil }
    return count
  }
}
