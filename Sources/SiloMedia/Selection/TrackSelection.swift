/// Which tracks of an inventory were chosen, and why.
public struct TrackSelection: Hashable, Sendable, Codable {
  /// The chosen video tracks in inventory order.
  public var video: [TrackID]
  /// The chosen audio tracks in order of preference, the default first.
  public var audio: [TrackID]
  /// The audio track that plays first; `nil` only when there is no audio at all.
  public var defaultAudio: TrackID?
  /// The chosen subtitle tracks in inventory order.
  public var subtitles: [TrackID]
  /// Entries of the audio list (as canonical text) that no track answers.
  public var missing: [String]
  /// Whether no entry of a non-empty list was answered, so that the order without preference decided.
  public var isFallback: Bool
  /// Why each kept or dropped track was kept or dropped, in one short sentence.
  public var reasons: [TrackID: String]
  /// The bytes of the chosen tracks.
  public var size: SizeEstimate
  /// What the user should be told: a budget that was exceeded, a fallback, a language known only from a title.
  public var warnings: [String]

  /// A selection of the given parts.
  public init(
    video: [TrackID] = [], audio: [TrackID] = [], defaultAudio: TrackID? = nil,
    subtitles: [TrackID] = [], missing: [String] = [], isFallback: Bool = false,
    reasons: [TrackID: String] = [:], size: SizeEstimate = .unknown, warnings: [String] = []
  ) {
    self.video = video
    self.audio = audio
    self.defaultAudio = defaultAudio
    self.subtitles = subtitles
    self.missing = missing
    self.isFallback = isFallback
    self.reasons = reasons
    self.size = size
    self.warnings = warnings
  }

  /// Audio tracks in the order of the inventory, as they are written to a file.
  public var audioInFileOrder: [TrackID] { audio.sorted() }

  /// Every chosen track: video, audio and subtitles, each in the order of the inventory.
  public var tracks: [TrackID] { video.sorted() + audioInFileOrder + subtitles.sorted() }
}
