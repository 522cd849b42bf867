public import struct Foundation.URL

/// One media playlist of a presentation.
public struct HLSRendition: Hashable, Sendable {
  /// What the first segment tells.
  public struct FirstSegment: Hashable, Sendable {
    /// The tracks in the segment, behind its init section.
    public var inventory: MediaInventory
    /// The bytes of the segment as they are on the server, without its init section.
    public var byteCount: Int64
    /// EXTINF of the segment.
    public var duration: Duration

    /// What was found in a segment.
    public init(inventory: MediaInventory, byteCount: Int64, duration: Duration) {
      self.inventory = inventory
      self.byteCount = byteCount
      self.duration = duration
    }
  }

  /// The URL that the multivariant playlist names, to be asked again for a reload.
  public var url: URL
  /// The playlist.
  public var playlist: MediaPlaylist
  /// What EXT-X-MEDIA says of it; `nil` for the variant's own.
  public var media: Rendition?
  /// What its first segment tells; `nil` when it was not fetched.
  public var firstSegment: FirstSegment?

  /// A rendition.
  public init(
    url: URL, playlist: MediaPlaylist, media: Rendition? = nil, firstSegment: FirstSegment? = nil
  ) {
    self.url = url
    self.playlist = playlist
    self.media = media
    self.firstSegment = firstSegment
  }

  /// What its segments hold: subtitles without an init section are WebVTT (RFC 8216, 3.5).
  public var form: RenditionSpool.Form {
    if media?.kind == .subtitles, playlist.segments.allSatisfy({ $0.initSection == nil }) {
      return .webVTT
    }
    guard media == nil, let path = playlist.segments.first?.url.path.lowercased() else {
      return .media
    }
    return path.hasSuffix(".vtt") || path.hasSuffix(".webvtt") ? .webVTT : .media
  }
}
