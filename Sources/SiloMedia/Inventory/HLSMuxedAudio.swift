/// The sound inside the variant's own segments, and which EXT-X-MEDIA without URI speaks of which.
struct HLSMuxedAudio {
  /// One track in the variant's segments.
  struct Entry {
    /// The position among the audio streams of the segments.
    var ordinal: Int
    /// What the first segment tells; `nil` when it was not looked at.
    var found: AudioTrack?
    /// What EXT-X-MEDIA says of it.
    var media: Rendition?
  }

  private(set) var entries: [Entry] = []
  /// Renditions that are said to be muxed in and are not.
  private(set) var absent: [Rendition] = []

  /// Joins what was found (`nil` when nobody looked) with what is said of it, by language and then by order.
  init(found: [AudioTrack]?, said: [Rendition], isLikely: Bool) {
    guard let found else {
      let count = said.isEmpty && isLikely ? 1 : said.count
      entries = (0..<count).map {
        Entry(ordinal: $0, found: nil, media: said.indices.contains($0) ? said[$0] : nil)
      }
      return
    }
    entries = found.enumerated().map { Entry(ordinal: $0.offset, found: $0.element, media: nil) }
    var left: [Rendition] = []
    for media in said {
      let language = StoredLanguage(media.language).language
      let match = entries.firstIndex {
        $0.media == nil && language != nil && $0.found?.language == language
      }
      if let match { entries[match].media = media } else { left.append(media) }
    }
    // What has no language in the stream may be anything. Of one track and one rendition the playlist knows better;
    // among several, two languages that differ are two tracks.
    let isPaired = found.count == 1 && said.count == 1
    for media in left {
      let match = entries.firstIndex {
        $0.media == nil && (isPaired || media.language == nil || $0.found?.language == nil)
      }
      if let match { entries[match].media = media } else { absent.append(media) }
    }
  }
}
