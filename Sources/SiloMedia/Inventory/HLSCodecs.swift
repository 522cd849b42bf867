/// The CODECS attribute read as libavcodec's short names (RFC 6381).
enum HLSCodecs {
  /// The kind and codec of one entry: `avc1.64001f`, `mp4a.40.2`, `ec-3`; `nil` for one that is not known.
  static func codec(_ entry: String) -> (kind: TrackID.Kind, codec: Codec)? {
    let text = entry.lowercased()
    if let (kind, name) = whole[text] { return (kind, Codec(name)) }
    let family = text.prefix { $0 != "." }
    guard let (kind, name) = families[String(family)] else { return nil }
    return (kind, Codec(name))
  }

  /// The first codec of `kind` among the entries.
  static func first(_ kind: TrackID.Kind, in entries: [String]) -> Codec? {
    entries.lazy.compactMap(codec).first { $0.kind == kind }?.codec
  }

  /// Whether the entries say that there is sound and no picture.
  static func isAudioOnly(_ entries: [String]) -> Bool {
    first(.audio, in: entries) != nil && first(.video, in: entries) == nil
  }

  private static let whole: [String: (TrackID.Kind, String)] = [
    "mp4a.40.34": (.audio, "mp3"), "mp4a.69": (.audio, "mp3"), "mp4a.6b": (.audio, "mp3"),
    "mp4a.a5": (.audio, "ac3"), "mp4a.a6": (.audio, "eac3"), "mp4a.a9": (.audio, "dts"),
    "mp4a.ad": (.audio, "opus"),
  ]

  private static let families: [String: (TrackID.Kind, String)] = [
    "avc1": (.video, "h264"), "avc3": (.video, "h264"), "dva1": (.video, "h264"),
    "dvav": (.video, "h264"), "hvc1": (.video, "hevc"), "hev1": (.video, "hevc"),
    "dvh1": (.video, "hevc"), "dvhe": (.video, "hevc"), "vvc1": (.video, "vvc"),
    "av01": (.video, "av1"), "dav1": (.video, "av1"), "vp08": (.video, "vp8"),
    "vp09": (.video, "vp9"), "mp4v": (.video, "mpeg4"), "mp4a": (.audio, "aac"),
    "ac-3": (.audio, "ac3"), "ec-3": (.audio, "eac3"), "ac-4": (.audio, "ac4"),
    "opus": (.audio, "opus"), "flac": (.audio, "flac"), "alac": (.audio, "alac"),
    "dtsc": (.audio, "dts"), "dtse": (.audio, "dts"), "dtsh": (.audio, "dts"),
    "dtsl": (.audio, "dts"), "mlpa": (.audio, "truehd"), "mp3": (.audio, "mp3"),
    "wvtt": (.subtitle, "webvtt"), "stpp": (.subtitle, "ttml"),
  ]
}

extension DynamicRange {
  /// What VIDEO-RANGE and the codecs of a variant say; `nil` when they say nothing.
  init?(_ variant: MultivariantPlaylist.Variant) {
    let codecs = (variant.codecs + variant.supplementalCodecs).map { $0.lowercased().prefix(4) }
    if codecs.contains(where: { ["dvh1", "dvhe", "dva1", "dvav", "dav1"].contains($0) }) {
      self = .dolbyVision
      return
    }
    switch variant.videoRange {
    case "SDR": self = .sdr
    case "HLG": self = .hlg
    case "PQ": self = .hdr10
    default: return nil
    }
  }
}
