/// Everything that is known about one item before it is downloaded, and how sure each number is.
public struct MediaInventory: Hashable, Sendable, Codable {
  /// Where the tracks lie.
  public enum Kind: String, Hashable, Sendable, Codable {
    /// One container file.
    case file
    /// Playlists and segments.
    case hls
  }

  /// Whether it is one file or an HLS presentation.
  public var kind: Kind
  /// The container's short name: `mp4`, `mkv`, `webm`, `mpegts`, `mp3`, `flac`, …; for HLS that of the segments.
  public var container: String?
  /// How long it plays, or `nil` when that is not known.
  public var duration: Duration?
  /// The size of the whole file, or the sum over the tracks of a presentation.
  public var size: SizeEstimate
  /// Video tracks in the order of the source.
  public var video: [VideoTrack]
  /// Audio tracks in the order of the source.
  public var audio: [AudioTrack]
  /// Subtitle tracks in the order of the source.
  public var subtitles: [SubtitleTrack]
  /// Chapters in order of their start.
  public var chapters: [Chapter]
  /// How the media is encrypted.
  public var encryption: Encryption
  /// The title that the container carries.
  public var title: String?

  /// An inventory of the given parts.
  public init(
    kind: Kind, container: String? = nil, duration: Duration? = nil,
    size: SizeEstimate = .unknown, video: [VideoTrack] = [], audio: [AudioTrack] = [],
    subtitles: [SubtitleTrack] = [], chapters: [Chapter] = [], encryption: Encryption = .none,
    title: String? = nil
  ) {
    self.kind = kind
    self.container = container
    self.duration = duration
    self.size = size
    self.video = video
    self.audio = audio
    self.subtitles = subtitles
    self.chapters = chapters
    self.encryption = encryption
    self.title = title
  }
}

/// How media is encrypted, as far as a download is concerned.
public enum Encryption: Hashable, Sendable, Codable {
  /// Clear.
  case none
  /// HLS AES-128 over whole segments (RFC 8216, 5.2).
  case aes128
  /// HLS SAMPLE-AES with an identity key.
  case sampleAES
  /// A DRM system, by its name: `Widevine`, `FairPlay`, `PlayReady`, `ClearKey`, or the raw key format.
  case drm(String)
  /// Common encryption inside the file without a known system: `cenc`, `cbcs`, …
  case commonEncryption(String)

  /// The name printed and written to JSON: `none`, `aes-128`, `sample-aes`, or the system's name.
  public var name: String {
    switch self {
    case .none: "none"
    case .aes128: "aes-128"
    case .sampleAES: "sample-aes"
    case .drm(let system): system.lowercased()
    case .commonEncryption(let scheme): scheme
    }
  }
}

/// One chapter.
public struct Chapter: Hashable, Sendable, Codable {
  /// From the start of the item.
  public var start: Duration
  /// From the start of the item, or `nil` when the source does not say.
  public var end: Duration?
  /// What the source calls it.
  public var title: String?

  /// A chapter from `start` to `end`.
  public init(start: Duration, end: Duration? = nil, title: String? = nil) {
    self.start = start
    self.end = end
    self.title = title
  }
}
