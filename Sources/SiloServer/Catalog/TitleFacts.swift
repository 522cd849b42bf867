/// What is told of a film, a series or an episode beside its title, by notes and by the catalog alike.
struct TitleFacts: Hashable, Sendable, Codable {
  var originalTitle: String?
  var year: Int?
  var overview: String?
  /// How long it plays, in minutes.
  var runtimeMinutes: Int?
  /// The rating by age: `PG-13`.
  var contentRating: String?
  var genres: [String] = []
  var ids = ProviderIDs()
  /// When it was first shown, `2019-05-01`.
  var airDate: String?
  /// Whether a series goes on: `Continuing`, `Ended`.
  var status: String?
}
