/// What the user wants of an inventory; the same for probe, download, playback and server.
public struct TrackWishes: Hashable, Sendable, Codable {
  /// One entry of an audio preference list.
  public enum AudioWish: Hashable, Sendable, Codable {
    /// The best track of this language.
    case language(LanguageTag)
    /// The best track of undetermined language.
    case undetermined
    /// The track marked as original.
    case original
    /// The track marked as default.
    case containerDefault
    /// Every track, commentary and description included.
    case all
  }

  /// Which subtitles to keep.
  public enum SubtitleWish: Hashable, Sendable, Codable {
    /// All of them.
    case all
    /// None but the forced ones of the default audio's language.
    case none
    /// Those of these languages, in order of preference.
    case languages([LanguageTag])
  }

  /// Which tracks an audio list keeps.
  public enum Mode: String, Hashable, Sendable, Codable {
    /// The best track for each entry that matches; every track when the list is empty.
    case best
    /// Every track that matches an entry.
    case matching
    /// Every track.
    case all
    /// Only the default track.
    case onlyDefault
  }

  /// Which HLS variant.
  public enum VideoWish: Hashable, Sendable, Codable {
    /// The one with the most pixels and bits.
    case best
    /// The one with the fewest.
    case worst
    /// The best one not above this height in pixels.
    case height(Int)
  }

  /// The audio preference list; empty keeps everything.
  public var audio: [AudioWish]
  /// Exactly these audio tracks, instead of the list.
  public var audioTracks: [TrackID]?
  /// Whether a listed language that is missing is an error.
  public var requiresAudio: Bool
  /// Also keep commentary of the wanted languages.
  public var wantsCommentary: Bool
  /// Also keep audio description of the wanted languages.
  public var wantsDescription: Bool
  /// Prefer a described track to a plain one of the same list entry as the default.
  public var prefersDescription: Bool
  /// Also keep the original track.
  public var keepsOriginal: Bool
  /// Prefer tracks within this number of channels.
  public var maximumChannels: Int?
  /// Which tracks the list keeps.
  public var mode: Mode
  /// Which subtitles to keep.
  public var subtitles: SubtitleWish
  /// Which HLS variant.
  public var video: VideoWish
  /// A budget for the audio tracks in bytes: the default track is always kept, others while they fit.
  public var audioBudget: Int64?

  /// Wishes; the default wishes keep everything.
  public init(
    audio: [AudioWish] = [], audioTracks: [TrackID]? = nil, requiresAudio: Bool = false,
    wantsCommentary: Bool = false, wantsDescription: Bool = false,
    prefersDescription: Bool = false, keepsOriginal: Bool = false, maximumChannels: Int? = nil,
    mode: Mode = .best, subtitles: SubtitleWish = .all, video: VideoWish = .best,
    audioBudget: Int64? = nil
  ) {
    self.audio = audio
    self.audioTracks = audioTracks
    self.requiresAudio = requiresAudio
    self.wantsCommentary = wantsCommentary
    self.wantsDescription = wantsDescription
    self.prefersDescription = prefersDescription
    self.keepsOriginal = keepsOriginal
    self.maximumChannels = maximumChannels
    self.mode = mode
    self.subtitles = subtitles
    self.video = video
    self.audioBudget = audioBudget
  }
}
