/// One audio track of the delivered file.
package struct ManifestAudioTrack: Codable, Hashable, Sendable {
  /// The place among the audio streams of the file, from 0.
  package var index: Int
  /// The title.
  package var title: String?
  /// A language tag; old servers send three letters.
  package var language: String?
  /// FFmpeg's name.
  package var codec: String?
  /// `5.1(side)`.
  package var layout: String?
  /// How many channels.
  package var channels: Int?
  /// The bit rate in kbit/s.
  package var kilobitsPerSecond: Int?
  /// The rate in Hz.
  package var sampleRate: Int?
  /// Whether a player takes it when nobody chose.
  package var isDefault: Bool?

  private enum CodingKeys: String, CodingKey {
    case index, title, language, codec, layout, channels
    case kilobitsPerSecond = "bitrate"
    case sampleRate = "sample_rate"
    case isDefault = "default"
  }

  /// The track at `index`, not the default.
  package init(index: Int) {
    self.index = index
    isDefault = false
  }
}

/// One subtitle file of a download.
package struct ManifestSubtitle: Codable, Hashable, Sendable {
  /// A language tag; `nil` (sent as "") when the file's name has none.
  @Always package var language: String?
  /// `srt`, `vtt`, `ass`, `sup`.
  @Always package var format: String?
  /// Whether it holds only what is not in the audience's language.
  package var isForced: Bool?
  /// Whether it describes sounds.
  package var isHearingImpaired: Bool?
  /// Whether it lies beside the media on the server.
  package var isExternal: Bool?
  /// Where it is fetched: a path on the server, below the download's own.
  package var fetchURL: String
  /// The length in bytes, where it is known.
  package var fileSize: Int64?

  private enum CodingKeys: String, CodingKey {
    case language, format
    case isForced = "forced"
    case isHearingImpaired = "hearing_impaired"
    case isExternal = "external"
    case fetchURL = "fetch_url"
    case fileSize = "file_size"
  }

  /// A file beside the media.
  package init(language: String?, format: String?, fetchURL: String) {
    self.language = language
    self.format = format
    (isForced, isHearingImpaired, isExternal) = (false, false, true)
    self.fetchURL = fetchURL
  }
}
