/// `POST /downloads`: registers a film, an episode, a season or a series.
///
/// Read strictly: a value of another type is refused, as servers do. Unknown fields are passed over.
package struct CreateRequest: Codable, Hashable, Sendable {
  /// The film, or the series of an episode, a season or a series.
  package var contentID: String
  /// The episode.
  package var episodeID: String?
  /// The version; `nil` leaves the choice to the server.
  package var fileID: MediaFileID?
  /// `nil` is `original`.
  package var quality: Quality?
  /// Whether every episode is meant.
  package var isSeries: Bool?
  /// Only this season of a series; 0 is the specials, `nil` all.
  package var seasonNumber: Int?
  /// What the device can play; leave it out to get the untouched file.
  package var capabilities: DecodeCapabilities?

  private enum CodingKeys: String, CodingKey {
    case contentID = "content_id"
    case episodeID = "episode_id"
    case fileID = "file_id"
    case quality
    case isSeries = "series"
    case seasonNumber = "season_number"
    case capabilities = "caps"
  }

  /// A request for `contentID` at original quality.
  package init(contentID: String) { self.contentID = contentID }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    contentID = try container.exactly(String.self, forKey: .contentID) ?? ""
    episodeID = try container.exactly(String.self, forKey: .episodeID).flatMap(Self.nonEmpty)
    // 0 is Go's "not given".
    let file = try container.exactly(Int64.self, forKey: .fileID)
    fileID = file == 0 ? nil : file.map(MediaFileID.init)
    quality = try container.exactly(String.self, forKey: .quality).flatMap(Self.nonEmpty).map(
      Quality.init)
    isSeries = try container.exactly(Bool.self, forKey: .isSeries)
    seasonNumber = try container.exactly(Int.self, forKey: .seasonNumber)
    capabilities = try container.exactly(DecodeCapabilities.self, forKey: .capabilities)
  }

  private static func nonEmpty(_ text: String) -> String? { text.isEmpty ? nil : text }
}

/// What a device can play, of itself or handed on.
package struct DecodeCapabilities: Codable, Hashable, Sendable {
  /// Video codecs by their names in FFmpeg.
  package var videoCodecs: [String]?
  /// Audio codecs.
  package var audioCodecs: [String]?
  /// Audio codecs that are handed on to a receiver.
  package var passthroughCodecs: [String]?
  /// Containers: `mp4`, `mkv`.
  package var containers: [String]?
  /// `1080p`, `4k`.
  package var maximumResolution: String?
  /// Whether HDR can be shown.
  package var showsHDR: Bool?

  private enum CodingKeys: String, CodingKey {
    case videoCodecs = "codecs_video"
    case audioCodecs = "codecs_audio"
    case passthroughCodecs = "audio_passthrough_codecs"
    case containers
    case maximumResolution = "max_resolution"
    case showsHDR = "hdr"
  }

  /// Nothing is said.
  package init() {}
}
