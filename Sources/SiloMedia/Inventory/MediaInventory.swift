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
