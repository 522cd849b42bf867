public import struct Foundation.URL

/// The container of a packaged file.
public enum OutputContainer: String, Hashable, Sendable, Codable, CaseIterable {
  /// ISO base media file.
  case mp4
  /// Matroska.
  case mkv
}

/// One track of the file to be written.
public struct PackageTrack: Hashable, Sendable {
  /// The track's name in the inventory that it was chosen from.
  public var id: TrackID
  /// The input that holds it: an index into `PackagePlan.inputs`.
  public var input: Int
  /// Where it lies in that input: the n-th stream of its kind, from 0.
  public var ordinal: Int
  /// The language to write; `nil` is undetermined.
  public var language: LanguageTag?
  /// The title to write.
  public var title: String?
  /// Whether it is the track that players choose; exactly one audio track is.
  public var isDefault: Bool
  /// Of audio: what it is for.
  public var role: TrackRole
  /// Whether it carries the original language.
  public var isOriginal: Bool
  /// Of subtitles: forced.
  public var isForced: Bool
  /// Of subtitles: describes sounds.
  public var isHearingImpaired: Bool

  /// A track to be written.
  public init(
    id: TrackID, input: Int, ordinal: Int, language: LanguageTag? = nil, title: String? = nil,
    isDefault: Bool = false, role: TrackRole = .main, isOriginal: Bool = false,
    isForced: Bool = false, isHearingImpaired: Bool = false
  ) {
    self.id = id
    self.input = input
    self.ordinal = ordinal
    self.language = language
    self.title = title
    self.isDefault = isDefault
    self.role = role
    self.isOriginal = isOriginal
    self.isForced = isForced
    self.isHearingImpaired = isHearingImpaired
  }
}

/// Where packets come from.
public enum PackageInput: Sendable {
  /// One whole container file.
  case file(MediaSource)
  /// The downloaded, decrypted segments of one HLS rendition in one spool file.
  case rendition(RenditionSpool)
  /// The segments of one HLS rendition while they arrive.
  case arriving(RenditionInput)
}

/// The downloaded, decrypted segments of one HLS rendition, joined in order in one local file.
public struct RenditionSpool: Sendable {
  /// One segment inside the spool.
  public struct Segment: Hashable, Sendable {
    /// Its bytes in the spool.
    public var bytes: Range<Int64>
    /// The bytes of the init section in the spool that applies to it (EXT-X-MAP); `nil` when there is none.
    public var initSection: Range<Int64>?
    /// The discontinuity sequence number (EXT-X-DISCONTINUITY-SEQUENCE plus the tags before it).
    public var discontinuity: Int
    /// The media sequence number.
    public var mediaSequence: Int
    /// The sum of EXTINF of the segments before it in the playlist.
    public var start: Duration
    /// EXTINF.
    public var duration: Duration

    /// A segment inside the spool.
    public init(
      bytes: Range<Int64>, initSection: Range<Int64>?, discontinuity: Int, mediaSequence: Int,
      start: Duration, duration: Duration
    ) {
      self.bytes = bytes
      self.initSection = initSection
      self.discontinuity = discontinuity
      self.mediaSequence = mediaSequence
      self.start = start
      self.duration = duration
    }
  }

  /// What the segments hold.
  public enum Form: String, Hashable, Sendable, Codable {
    /// MPEG-TS, fMP4 or packed audio (AAC, MP3, AC-3, E-AC-3 with ID3 time), told by the bytes.
    case media
    /// WebVTT text.
    case webVTT
  }

  /// The spool file.
  public var url: URL
  /// What the segments hold.
  public var form: Form
  /// The segments in playlist order.
  public var segments: [Segment]

  /// A spool.
  public init(url: URL, form: Form, segments: [Segment]) {
    self.url = url
    self.form = form
    self.segments = segments
  }
}

/// What to write into one file, from where.
public struct PackagePlan: Sendable {
  /// The most tracks of a file: libavformat's `max_streams`.
  public static let trackLimit = 1000

  /// Where packets come from.
  public var inputs: [PackageInput]
  /// The tracks in the order in which they are written: video, audio, subtitles.
  public var tracks: [PackageTrack]
  /// The chapters to write.
  public var chapters: [Chapter]
  /// The title of the file.
  public var title: String?
  /// The container to write.
  public var container: OutputContainer

  /// A plan of the given parts.
  public init(
    inputs: [PackageInput], tracks: [PackageTrack], chapters: [Chapter] = [],
    title: String? = nil, container: OutputContainer
  ) {
    self.inputs = inputs
    self.tracks = tracks
    self.chapters = chapters
    self.title = title
    self.container = container
  }
}
