public import struct Foundation.URL

/// A multivariant playlist: the variants and renditions of one presentation (RFC 8216, 4.3.4).
public struct MultivariantPlaylist: Hashable, Sendable {
  /// Where it was read from, after redirects.
  public var url: URL
  /// EXT-X-VERSION; 1 when absent.
  public var version: Int
  /// The variants in order; never empty.
  public var variants: [Variant]
  /// The renditions in order, those of equal names and URIs apart.
  public var renditions: [Rendition]
  /// EXT-X-I-FRAME-STREAM-INF, kept out of the variants.
  public var iFrameVariants: [Variant]
  /// EXT-X-SESSION-DATA.
  public var sessionData: [SessionData]
  /// EXT-X-SESSION-KEY.
  public var sessionKeys: [KeySighting]
  /// EXT-X-DEFINE: what media playlists may import.
  public var variables: [String: String]
  /// EXT-X-CONTENT-STEERING's attributes; `nil` when absent.
  public var contentSteering: [String: String]?
  /// Whether each segment decodes on its own (EXT-X-INDEPENDENT-SEGMENTS).
  public var isIndependent: Bool
  /// EXT-X-START.
  public var start: PlaylistStart?
  /// What was tolerated.
  public var warnings: [PlaylistWarning]

  /// The renditions of one kind in the group of that name, in order; none for a `nil` name.
  public func renditions(_ kind: Rendition.Kind, group: String?) -> [Rendition] {
    guard let group else { return [] }
    return renditions.filter { $0.kind == kind && $0.groupID == group }
  }

  /// One EXT-X-STREAM-INF, or EXT-X-I-FRAME-STREAM-INF, and its URI.
  public struct Variant: Hashable, Sendable {
    /// Where its media playlist is fetched.
    public var url: URL
    /// BANDWIDTH: the peak in bits a second.
    public var bandwidth: Int?
    /// AVERAGE-BANDWIDTH in bits a second.
    public var averageBandwidth: Int?
    /// SCORE: the author's preference.
    public var score: Double?
    /// CODECS, one entry for each.
    public var codecs: [String]
    /// SUPPLEMENTAL-CODECS, one entry for each.
    public var supplementalCodecs: [String]
    /// RESOLUTION's width in pixels.
    public var width: Int?
    /// RESOLUTION's height in pixels.
    public var height: Int?
    /// FRAME-RATE.
    public var frameRate: Double?
    /// VIDEO-RANGE: `SDR`, `HLG`, `PQ`.
    public var videoRange: String?
    /// HDCP-LEVEL.
    public var hdcpLevel: String?
    /// AUDIO: the group of its audio renditions.
    public var audioGroup: String?
    /// VIDEO: the group of its video renditions.
    public var videoGroup: String?
    /// SUBTITLES: the group of its subtitle renditions.
    public var subtitleGroup: String?
    /// CLOSED-CAPTIONS: the group of its captions; `nil` also for NONE.
    public var captionGroup: String?
    /// NAME, which is not in the standard but in use.
    public var name: String?
    /// PATHWAY-ID.
    public var pathwayID: String?
    /// STABLE-VARIANT-ID.
    public var stableID: String?
    /// The line of the tag, from 1.
    public var line: Int
  }

  /// One EXT-X-SESSION-DATA.
  public struct SessionData: Hashable, Sendable {
    /// DATA-ID.
    public var id: String
    /// VALUE.
    public var value: String?
    /// Where the data is fetched.
    public var url: URL?
    /// FORMAT: `JSON` when absent, or `RAW`.
    public var format: String
    /// LANGUAGE.
    public var language: String?
  }
}
