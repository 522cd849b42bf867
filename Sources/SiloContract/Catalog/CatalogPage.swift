/// `GET /catalog?q=…`: one page of what was found.
package struct CatalogPage: Codable, Hashable, Sendable {
  /// How many there are in all; `nil` when it was not counted.
  package var total: Int?
  /// Whether `total` is exact.
  package var isTotalExact: Bool?
  /// Whether there are more after this page.
  package var hasMore: Bool?
  /// What was found.
  package var items: [CatalogEntry]

  private enum CodingKeys: String, CodingKey {
    case total
    case isTotalExact = "total_exact"
    case hasMore = "has_more"
    case items
  }

  /// A page of a list that was counted.
  package init(items: [CatalogEntry], total: Int, hasMore: Bool) {
    self.items = items
    self.total = total
    isTotalExact = true
    self.hasMore = hasMore
  }
}

/// One item in a list.
package struct CatalogEntry: Codable, Hashable, Sendable {
  /// The id.
  package var contentID: String
  /// Film, series or episode.
  package var type: ContentKind
  /// The title.
  package var title: String
  /// The series of an episode.
  package var seriesID: String?
  /// Its title.
  package var seriesTitle: String?
  /// The season of an episode.
  package var seasonNumber: Int?
  /// The episode within it.
  package var episodeNumber: Int?
  /// The year it came out.
  package var year: Int?
  /// The length in minutes.
  package var runtimeMinutes: Int?
  /// Genres by name.
  package var genres: [String]
  /// Words to find it by.
  package var keywords: [String]
  /// What the provider says of it: `released`, `ended`.
  @Always package var status: String?
  /// The plot.
  package var overview: String?
  /// Where the poster is.
  package var posterURL: String?

  private enum CodingKeys: String, CodingKey {
    case contentID = "content_id"
    case type, title
    case seriesID = "series_id"
    case seriesTitle = "series_title"
    case seasonNumber = "season_number"
    case episodeNumber = "episode_number"
    case year
    case runtimeMinutes = "runtime"
    case genres, keywords, status, overview
    case posterURL = "poster_url"
  }

  /// An item of which only the title is known.
  package init(contentID: String, type: ContentKind, title: String) {
    self.contentID = contentID
    self.type = type
    self.title = title
    (genres, keywords) = ([], [])
    status = nil
  }
}
