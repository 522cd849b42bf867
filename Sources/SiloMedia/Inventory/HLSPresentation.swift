public import struct Foundation.URL

/// One HLS presentation as it will be downloaded: the chosen variant's playlist and those of its renditions, each with what
/// its first segment tells.
public struct HLSPresentation: Hashable, Sendable {
  /// The chosen variant; `nil` when a media playlist was given directly.
  public var variant: MultivariantPlaylist.Variant?
  /// The playlists: the variant's own first, then one for each rendition with a URI of its own.
  ///
  /// A place `.rendition(i, ordinal:)` of the inventory means the i-th of them.
  public var renditions: [HLSRendition]
  /// The audio and subtitle renditions that EXT-X-MEDIA names, in order, those muxed into the variant included.
  public var described: [Rendition]
  /// EXT-X-SESSION-KEY.
  public var sessionKeys: [KeySighting]
  /// The chapters that EXT-X-SESSION-DATA names; see `HLSChapters`.
  public var chapters: [Chapter]
  /// The title to record.
  public var title: String?

  /// The presentation of a chosen variant, out of the fetched `playlists` by the URL that was asked for.
  ///
  /// Throws `.notFound` when the variant's or a rendition's playlist is not among them.
  public init(
    _ choice: HLSVariantChoice, of multivariant: MultivariantPlaylist,
    playlists: [URL: MediaPlaylist]
  ) throws(MediaError) {
    variant = choice.variant
    described = choice.renditions
    sessionKeys = multivariant.sessionKeys
    chapters = []
    renditions = [
      HLSRendition(url: choice.variant.url, playlist: try Self.find(choice.variant.url, playlists))
    ]
    for media in choice.renditions {
      // A URI that is the variant's own says, like none, that the rendition is muxed into it.
      guard let url = media.url, url != choice.variant.url else { continue }
      renditions.append(
        HLSRendition(url: url, playlist: try Self.find(url, playlists), media: media))
    }
  }

  /// The presentation of a media playlist that was given directly: one rendition.
  public init(_ playlist: MediaPlaylist) {
    variant = nil
    renditions = [HLSRendition(url: playlist.url, playlist: playlist)]
    described = []
    sessionKeys = []
    chapters = []
  }

  /// The first segments worth fetching before the inventory is made, at most one for each playlist.
  ///
  /// The variant's tells what is muxed into it, those of audio renditions the codec, channels and rate. WebVTT needs none.
  public var firstSegments: [(rendition: Int, segment: MediaSegment)] {
    var seen: Set<URL> = []
    return renditions.indices.compactMap { index in
      let rendition = renditions[index]
      let segments = rendition.playlist.segments
      guard rendition.form == .media, rendition.firstSegment == nil,
        let segment = segments.first(where: { !$0.isGap }), seen.insert(rendition.url).inserted
      else { return nil }
      return (index, segment)
    }
  }

  /// Records what the first segment of the rendition at `index` tells, for every rendition of the same playlist.
  public mutating func record(_ first: HLSRendition.FirstSegment, rendition index: Int) {
    guard renditions.indices.contains(index) else { return }
    for other in renditions.indices where renditions[other].url == renditions[index].url {
      renditions[other].firstSegment = first
    }
  }

  /// How long it plays: the sum of EXTINF of the variant's playlist.
  public var duration: Duration { renditions.first?.playlist.duration ?? .zero }

  private static func find(
    _ url: URL, _ playlists: [URL: MediaPlaylist]
  ) throws(MediaError) -> MediaPlaylist {
    if let playlist = playlists[url] { return playlist }
    throw MediaError(
      .notFound, "the media playlist was not fetched", subject: PlaylistText.name(of: url))
  }
}
