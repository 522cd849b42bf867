/// What an NFO file says of a film, a series, a season or an episode; what it does not say is `nil`.
struct MediaNotes: Hashable, Sendable, Codable {
  /// What the notes are about.
  enum Kind: String, Hashable, Sendable, Codable {
    case movie
    case series = "tvshow"
    case season
    case episode = "episodedetails"
  }

  var kind: Kind
  var title: String?
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
  var aired: String?
  var season: Int?
  var episode: Int?
  /// Whether a series goes on: `Continuing`, `Ended`.
  var status: String?

  /// Notes of that kind that say nothing.
  init(kind: Kind) { self.kind = kind }
}
