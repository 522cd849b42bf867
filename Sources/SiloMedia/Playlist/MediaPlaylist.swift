public import struct Foundation.URL

/// A media playlist: the segments of one rendition in order (RFC 8216, 4.3.3).
public struct MediaPlaylist: Hashable, Sendable {
  /// Whether more segments may come.
  public enum Completeness: String, Hashable, Sendable, Codable {
    /// EXT-X-ENDLIST: nothing will be added.
    case ended
    /// PLAYLIST-TYPE:VOD without EXT-X-ENDLIST: reload after a target duration; unchanged twice is complete.
    case promised
    /// Live or EVENT: segments are added, or the source forgot to say that it is done.
    case growing
  }

  /// EXT-X-PLAYLIST-TYPE.
  public enum Kind: String, Hashable, Sendable, Codable {
    /// Nothing changes.
    case vod = "VOD"
    /// Segments are only ever added.
    case event = "EVENT"
  }

  /// Where it was read from, after redirects.
  public var url: URL
  /// EXT-X-VERSION; 1 when absent.
  public var version: Int
  /// EXT-X-TARGETDURATION, else the longest segment.
  public var targetDuration: Duration
  /// EXT-X-PLAYLIST-TYPE.
  public var kind: Kind?
  /// Whether more segments may come.
  public var completeness: Completeness
  /// Whether each segment is one I-frame (EXT-X-I-FRAMES-ONLY).
  public var isIFramesOnly: Bool
  /// Whether each segment decodes on its own (EXT-X-INDEPENDENT-SEGMENTS).
  public var isIndependent: Bool
  /// The segments in order.
  public var segments: [MediaSegment]
  /// Every EXT-X-KEY but METHOD=NONE, in order.
  public var keySightings: [KeySighting]
  /// Every EXT-X-DATERANGE.
  public var dateRanges: [PlaylistDateRange]
  /// EXT-X-START.
  public var start: PlaylistStart?
  /// What was tolerated.
  public var warnings: [PlaylistWarning]

  /// The sum of the durations of its segments.
  public var duration: Duration {
    guard let last = segments.last else { return .zero }
    return last.start + last.duration
  }

  /// Whether segments are still being added.
  public var isLive: Bool { completeness == .growing }
}

/// EXT-X-START: where to begin playing (RFC 8216, 4.3.5.2).
public struct PlaylistStart: Hashable, Sendable {
  /// TIME-OFFSET: from the start, or when negative from the end.
  public var offset: Duration
  /// PRECISE.
  public var isPrecise: Bool
}
