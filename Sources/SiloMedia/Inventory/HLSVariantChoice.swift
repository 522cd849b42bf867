public import struct Foundation.URL

/// One variant of a multivariant playlist, and what belongs to it.
public struct HLSVariantChoice: Hashable, Sendable {
  /// The chosen variant.
  public var variant: MultivariantPlaylist.Variant
  /// Variants with the same attributes and another URI, which hold the same and may stand in (RFC 8216, 6.2.4).
  public var alternates: [MultivariantPlaylist.Variant]
  /// The renditions of the variant's AUDIO group, then those of its SUBTITLES group, in order.
  public var renditions: [Rendition]
  /// What the user should be told.
  public var warnings: [String]

  /// The variant that `wish` asks for.
  ///
  /// Pixels come before bits, and of equals the first is taken. A variant without pictures is taken only when no other is
  /// there. A height below every variant takes the lowest, with a warning.
  /// Throws `.notFound` when the playlist has no variant.
  public init(
    _ playlist: MultivariantPlaylist, wish: TrackWishes.VideoWish = .best
  ) throws(MediaError) {
    let pictures = playlist.variants.filter {
      !($0.height == nil && HLSCodecs.isAudioOnly($0.codecs))
    }
    let candidates = pictures.isEmpty ? playlist.variants : pictures
    warnings = []
    guard
      let chosen = Self.choose(
        candidates, wish: pictures.isEmpty ? Self.audioOnly(wish) : wish, &warnings)
    else {
      throw MediaError(
        .notFound, "the playlist offers no variant", subject: PlaylistText.name(of: playlist.url))
    }
    variant = chosen
    alternates = playlist.variants.filter { Self.isSame($0, chosen) && $0.url != chosen.url }
    renditions =
      playlist.renditions(.audio, group: chosen.audioGroup)
      + playlist.renditions(.subtitles, group: chosen.subtitleGroup)
    if let group = chosen.audioGroup, playlist.renditions(.audio, group: group).isEmpty {
      warnings.append(
        "The audio group “\(Self.shown(group))” of the variant is not in the playlist.")
    }
  }

  /// The playlists to fetch, each once: the variant's, then those of its renditions.
  public var playlistURLs: [URL] {
    var seen: Set<URL> = []
    return ([variant.url] + renditions.compactMap(\.url)).filter { seen.insert($0).inserted }
  }

  private static func choose(
    _ variants: [MultivariantPlaylist.Variant], wish: TrackWishes.VideoWish,
    _ warnings: inout [String]
  ) -> MultivariantPlaylist.Variant? {
    switch wish {
    case .best: return highest(variants)
    case .worst: return lowest(variants)
    case .height(let limit):
      let known = variants.filter { $0.height != nil }
      if known.isEmpty {
        warnings.append("The playlist does not say how high its variants are; the best was taken.")
        return highest(variants)
      }
      if let fit = highest(known.filter { ($0.height ?? 0) <= limit }) { return fit }
      let low = lowest(known)
      warnings.append(
        "No variant is as low as \(limit) pixels; the lowest, of \(low?.height ?? 0), was taken.")
      return low
    }
  }

  /// A height says nothing of variants without pictures.
  private static func audioOnly(_ wish: TrackWishes.VideoWish) -> TrackWishes.VideoWish {
    wish == .worst ? .worst : .best
  }

  private static func highest(
    _ variants: [MultivariantPlaylist.Variant]
  ) -> MultivariantPlaylist.Variant? {
    variants.reduce(nil) { best, next in
      guard let best else { return next }
      return rank(best) < rank(next) ? next : best
    }
  }

  private static func lowest(
    _ variants: [MultivariantPlaylist.Variant]
  ) -> MultivariantPlaylist.Variant? {
    variants.reduce(nil) { best, next in
      guard let best else { return next }
      return rank(next) < rank(best) ? next : best
    }
  }

  private static func rank(_ variant: MultivariantPlaylist.Variant) -> (Double, Int) {
    (
      Double(variant.width ?? 0) * Double(variant.height ?? 0),
      variant.bandwidth ?? variant.averageBandwidth ?? 0
    )
  }

  private static func isSame(
    _ a: MultivariantPlaylist.Variant, _ b: MultivariantPlaylist.Variant
  ) -> Bool {
    var a = a
    (a.url, a.line, a.pathwayID, a.stableID) = (b.url, b.line, b.pathwayID, b.stableID)
    return a == b
  }

  private static func shown(_ text: String) -> String { PlaylistText.quoted(text.utf8) }
}
