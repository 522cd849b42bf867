/// `GET /catalog/series/{id}/seasons`.
package struct SeasonList: Codable, Hashable, Sendable {
  /// The seasons, specials among them.
  package var seasons: [Season]

  private enum CodingKeys: String, CodingKey { case seasons }

  /// A list of seasons.
  package init(_ seasons: [Season]) { self.seasons = seasons }
}

/// `GET /catalog/series/{id}/seasons/{n}`.
package struct SeasonAnswer: Codable, Hashable, Sendable {
  /// The season.
  package var season: Season

  private enum CodingKeys: String, CodingKey { case season }

  /// One season.
  package init(_ season: Season) { self.season = season }
}

/// One season of a series.
package struct Season: Codable, Hashable, Sendable {
  /// The id; may be made up of the series and the number.
  package var contentID: String
  /// The number; 0 is the specials.
  package var seasonNumber: Int
  /// Whether it is the specials.
  package var isSpecials: Bool?
  /// The title.
  @Always package var title: String?
  /// The plot.
  package var overview: String?
  /// When it was first shown, `2024-05-31`.
  package var airDate: String?
  /// How many episodes it has.
  package var episodeCount: Int?
  /// Where the poster is.
  package var posterURL: String?

  private enum CodingKeys: String, CodingKey {
    case contentID = "content_id"
    case seasonNumber = "season_number"
    case isSpecials = "is_specials"
    case title, overview
    case airDate = "air_date"
    case episodeCount = "episode_count"
    case posterURL = "poster_url"
  }

  /// A season.
  package init(contentID: String, seasonNumber: Int, title: String?, episodeCount: Int) {
    self.contentID = contentID
    self.seasonNumber = seasonNumber
    isSpecials = seasonNumber == 0 ? true : nil
    self.title = title
    self.episodeCount = episodeCount
  }
}

/// `GET /catalog/series/{id}/seasons/{n}/episodes`.
package struct EpisodeList: Codable, Hashable, Sendable {
  /// The episodes.
  package var episodes: [Episode]

  private enum CodingKeys: String, CodingKey { case episodes }

  /// A list of episodes.
  package init(_ episodes: [Episode]) { self.episodes = episodes }
}

/// One episode in a list.
package struct Episode: Codable, Hashable, Sendable {
  /// The id: `episode_id` of a download.
  package var contentID: String
  /// The season; 0 is the specials.
  package var seasonNumber: Int
  /// The episode within it.
  package var episodeNumber: Int
  /// The title.
  @Always package var title: String?
  /// The plot.
  package var overview: String?
  /// When it was first shown, `2024-05-31`.
  package var airDate: String?
  /// The length in minutes.
  @Always package var runtimeMinutes: Int?
  /// The id at IMDb.
  package var imdbID: String?
  /// The id at TMDB.
  package var tmdbID: String?
  /// The id at TheTVDB.
  package var tvdbID: String?
  /// The files that there are of it; `nil` when there is none.
  package var files: [EpisodeFile]?

  private enum CodingKeys: String, CodingKey {
    case contentID = "content_id"
    case seasonNumber = "season_number"
    case episodeNumber = "episode_number"
    case title, overview
    case airDate = "air_date"
    case runtimeMinutes = "runtime"
    case imdbID = "imdb_id"
    case tmdbID = "tmdb_id"
    case tvdbID = "tvdb_id"
    case files
  }

  /// An episode.
  package init(contentID: String, seasonNumber: Int, episodeNumber: Int, title: String?) {
    self.contentID = contentID
    self.seasonNumber = seasonNumber
    self.episodeNumber = episodeNumber
    self.title = title
    runtimeMinutes = nil
  }
}

/// One file of an episode in a list.
package struct EpisodeFile: Codable, Hashable, Sendable {
  /// The number to register.
  package var fileID: MediaFileID
  /// `2160p`, `1080p`.
  package var resolution: String?
  /// FFmpeg's name.
  package var videoCodec: String?
  /// Whether it has HDR.
  package var isHDR: Bool?
  /// The most channels of an audio track.
  package var audioChannels: Int?
  /// `mkv`, `mp4`.
  package var container: String?
  /// The length in bytes.
  @Always package var fileSize: Int64?

  private enum CodingKeys: String, CodingKey {
    case fileID = "file_id"
    case resolution
    case videoCodec = "codec_video"
    case isHDR = "hdr"
    case audioChannels = "audio_channels"
    case container
    case fileSize = "file_size"
  }

  /// A file of which only the length is known.
  package init(fileID: MediaFileID, fileSize: Int64?) {
    self.fileID = fileID
    isHDR = false
    self.fileSize = fileSize
  }
}
