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
  /// The id at IMDb.
  package var imdbID: String?
  /// The id at TMDB.
  package var tmdbID: String?
  /// The id at TheTVDB.
  package var tvdbID: String?
  /// The files that there are of it; empty for a series.
  package var versions: [MediaVersion]
  /// Subtitle files beside the media.
  package var subtitles: [VersionSubtitle]
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
  /// When it was first shown, `2024-05-31`.
  package var airDate: String?
  /// Where the poster is.
  package var posterURL: String?

  private enum CodingKeys: String, CodingKey {
    case contentID = "content_id"
    case type, title, year, overview
    case runtimeMinutes = "runtime"
    case contentRating = "content_rating"
    case genres
    case imdbID = "imdb_id"
    case tmdbID = "tmdb_id"
    case tvdbID = "tvdb_id"
    case versions, subtitles
    case seriesID = "series_id"
    case seriesTitle = "series_title"
    case seasonNumber = "season_number"
    case episodeNumber = "episode_number"
    case seasonCount = "season_count"
    case airDate = "air_date"
    case posterURL = "poster_url"
  }

  /// An item of which only the title is known.
  package init(contentID: String, type: ContentKind, title: String) {
    self.contentID = contentID
    self.type = type
    self.title = title
    (versions, subtitles) = ([], [])
  }
}
