/// One file of an item: what to choose by before it is registered.
package struct MediaVersion: Codable, Hashable, Sendable {
  /// The number to register.
  package var fileID: MediaFileID
  /// The name of the file on the server.
  package var fileName: String?
  /// `2160p`, `1080p`.
  @Always package var resolution: String?
  /// FFmpeg's name.
  @Always package var videoCodec: String?
  /// FFmpeg's name.
  @Always package var audioCodec: String?
  /// Whether it has HDR.
  package var isHDR: Bool?
  /// `mkv`, `mp4`.
  @Always package var container: String?
  /// The length in bytes.
  @Always package var fileSize: Int64?
  /// The length in seconds; servers send whole ones.
  @Always package var durationSeconds: Double?
  /// The bit rate in kbit/s.
  @Always package var kilobitsPerSecond: Int?
  /// When the server came by it.
  package var addedAt: Timestamp?
  /// The audio track that the server would play.
  package var effectiveAudioTrackIndex: Int?
  /// Its language.
  package var effectiveAudioLanguage: String?
  /// The audio tracks in the order of the file; `nil` when they are not known.
  package var audioTracks: [VersionAudioTrack]?
  /// The subtitle tracks inside the file, then the files beside it.
  package var subtitleTracks: [VersionSubtitle]?
  /// The chapters.
  package var chapters: [VersionChapter]?
  /// The opening titles.
  package var intro: ManifestSpan?

  private enum CodingKeys: String, CodingKey {
    case fileID = "file_id"
    case fileName = "file_name"
    case resolution
    case videoCodec = "codec_video"
    case audioCodec = "codec_audio"
    case isHDR = "hdr"
    case container
    case fileSize = "file_size"
    case durationSeconds = "duration"
    case kilobitsPerSecond = "bitrate"
    case addedAt = "added_at"
    case effectiveAudioTrackIndex = "effective_audio_track_index"
    case effectiveAudioLanguage = "effective_audio_language"
    case audioTracks = "audio_tracks"
    case subtitleTracks = "subtitle_tracks"
    case chapters, intro
  }

  /// A file of which only the length is known.
  package init(fileID: MediaFileID, fileSize: Int64?) {
    self.fileID = fileID
    self.fileSize = fileSize
    (resolution, videoCodec, audioCodec, container) = (nil, nil, nil, nil)
    isHDR = false
    durationSeconds = nil
    kilobitsPerSecond = nil
  }
}

/// One audio track of a version; its place in the list is its place in the file.
package struct VersionAudioTrack: Codable, Hashable, Sendable {
  /// The title as people read it.
  package var title: String?
  /// The title inside the file.
  package var embeddedTitle: String?
  /// A language tag.
  package var language: String?
  /// FFmpeg's name.
  package var codec: String?
  /// `LC`, `DTS-HD MA`.
  package var profile: String?
  /// `5.1(side)`.
  package var layout: String?
  /// How many channels.
  package var channels: Int?
  /// The bit rate in kbit/s.
  package var kilobitsPerSecond: Int?
  /// The rate in Hz.
  package var sampleRate: Int?
  /// Bits of one sample.
  package var bitDepth: Int?
  /// Whether a player takes it when nobody chose.
  package var isDefault: Bool?

  private enum CodingKeys: String, CodingKey {
    case title
    case embeddedTitle = "embedded_title"
    case language, codec, profile, layout, channels
    case kilobitsPerSecond = "bitrate"
    case sampleRate = "sample_rate"
    case bitDepth = "bit_depth"
    case isDefault = "default"
  }

  /// A track of which nothing is known.
  package init() { isDefault = false }
}

/// A subtitle track inside a version, or a file beside it.
package struct VersionSubtitle: Codable, Hashable, Sendable {
  /// The title.
  package var title: String?
  /// A language tag.
  package var language: String?
  /// FFmpeg's name, or the form of the file.
  package var codec: String?
  /// Whether it holds only what is not in the audience's language.
  package var isForced: Bool?
  /// Whether it describes sounds.
  package var isHearingImpaired: Bool?
  /// Whether it is a file beside the media.
  package var isExternal: Bool?
  /// The name of that file.
  package var fileName: String?
  /// Whether a player takes it when nobody chose.
  package var isDefault: Bool?

  private enum CodingKeys: String, CodingKey {
    case title, language, codec
    case isForced = "forced"
    case isHearingImpaired = "hearing_impaired"
    case isExternal = "external"
    case fileName = "file_name"
    case isDefault = "default"
  }

  /// Subtitles of which nothing is known.
  package init() {
    (isForced, isHearingImpaired, isExternal, isDefault) = (false, false, false, false)
  }
}

/// One chapter of a version.
package struct VersionChapter: Codable, Hashable, Sendable {
  /// The place among the chapters, from 0.
  package var index: Int
  /// The title; `nil` (sent as "") when it has none.
  @Always package var title: String?
  /// Where it begins, in seconds.
  package var startSeconds: Double
  /// Where it ends, in seconds.
  package var endSeconds: Double
  /// Where it was found: `embedded`; open.
  @Always package var source: String?

  private enum CodingKeys: String, CodingKey {
    case index, title, source
    case startSeconds = "start_seconds"
    case endSeconds = "end_seconds"
  }

  /// A chapter that is written in the file.
  package init(index: Int, title: String?, startSeconds: Double, endSeconds: Double) {
    self.index = index
    (self.startSeconds, self.endSeconds) = (startSeconds, endSeconds)
    self.title = title
    source = "embedded"
  }

  /// As a manifest has it.
  package var ofManifest: ManifestChapter {
    ManifestChapter(
      index: index, title: title, startSeconds: startSeconds, endSeconds: endSeconds)
  }
}
