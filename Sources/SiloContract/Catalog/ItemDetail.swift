/// `GET /catalog/items/{id}`: one film, series, season or episode.
package struct ItemDetail: Codable, Hashable, Sendable {
  /// The id.
  package var contentID: String
  /// What it is.
  package var type: ContentKind
  /// The title.
  package var title: String
  /// The year it came out.
  package var year: Int?
  /// The plot.
  package var overview: String?
  /// The length in minutes.
  package var runtimeMinutes: Int?
  /// `PG-13`.
  package var contentRating: String?
  /// Genres by name.
  package var genres: [String]?
  /// Who plays in it.
  package var cast: [Credit]
  /// Who made it.
  package var crew: [Credit]
  /// Who produced it.
  package var studios: [String]
  /// Where a series was shown.
  package var networks: [String]
  /// The id at IMDb.
  package var imdbID: String?
  /// The id at TMDB.
  package var tmdbID: String?
  /// The id at TheTVDB.
  package var tvdbID: String?
  /// The files that there are of it; empty for a series.
  package var versions: [MediaVersion]
  /// The subtitles of all versions: the tracks in the files, then the files beside them.
  package var subtitles: [ItemSubtitle]
  /// The series of an episode.
  package var seriesID: String?
  /// Its title.
  package var seriesTitle: String?
  /// The season of an episode.
  package var seasonNumber: Int?
  /// The episode within it.
  package var episodeNumber: Int?
  /// How many seasons a series has.
  package var seasonCount: Int?
  /// How many episodes a season has.
  package var episodeCount: Int?
  /// Whether a season is the specials.
  package var isSpecials: Bool?
  /// When it was first shown, `2024-05-31`.
  package var airDate: String?
  /// Where the poster is.
  package var posterURL: String?
  /// Where the wide image is.
  package var backdropURL: String?
  /// Where the title as an image is.
  package var logoURL: String?

  private enum CodingKeys: String, CodingKey {
    case contentID = "content_id"
    case type, title, year, overview
    case runtimeMinutes = "runtime"
    case contentRating = "content_rating"
    case genres, cast, crew, studios, networks
    case imdbID = "imdb_id"
    case tmdbID = "tmdb_id"
    case tvdbID = "tvdb_id"
    case versions, subtitles
    case seriesID = "series_id"
    case seriesTitle = "series_title"
    case seasonNumber = "season_number"
    case episodeNumber = "episode_number"
    case seasonCount = "season_count"
    case episodeCount = "episode_count"
    case isSpecials = "is_specials"
    case airDate = "air_date"
    case posterURL = "poster_url"
    case backdropURL = "backdrop_url"
    case logoURL = "logo_url"
  }

  /// An item of which only the title is known.
  package init(contentID: String, type: ContentKind, title: String) {
    self.contentID = contentID
    self.type = type
    self.title = title
    (versions, subtitles, genres) = ([], [], [])
    (cast, crew, studios, networks) = ([], [], [], [])
  }
}

/// Somebody who took part in an item.
package struct Credit: Codable, Hashable, Sendable {
  /// The name.
  package var name: String

  private enum CodingKeys: String, CodingKey { case name }
}

/// One choice of subtitles of an item, in a file of it or beside one.
package struct ItemSubtitle: Codable, Hashable, Sendable {
  /// Where it is: `embedded`, `external`; open.
  package var source: String?
  /// A language tag; `nil` (sent as "") when nothing says it.
  @Always package var language: String?
  /// FFmpeg's name, or the form of the file.
  package var codec: String?
  /// Whether it holds only what is not in the audience's language.
  package var isForced: Bool?
  /// Whether it describes sounds.
  package var isHearingImpaired: Bool?
  /// The title.
  package var title: String?

  private enum CodingKeys: String, CodingKey {
    case source, language, codec, title
    case isForced = "forced"
    case isHearingImpaired = "hearing_impaired"
  }

  /// A track of a version, or a file beside it.
  package init(_ track: VersionSubtitle) {
    source = track.isExternal == true ? "external" : "embedded"
    (codec, title) = (track.codec, track.title)
    (isForced, isHearingImpaired) = (track.isForced, track.isHearingImpaired)
    language = track.language
  }
}
