/// A film, a series or an episode.
@dynamicMemberLookup struct CatalogItem: Hashable, Sendable {
  /// What it is.
  enum Kind: String, Hashable, Sendable {
    case movie
    case series
    case episode
  }

  /// The id, the same over rescans and renamed files.
  var contentID: String
  var kind: Kind
  var title: String
  var facts = TitleFacts()
  /// The series of an episode.
  var seriesID: String?
  /// Where in its series an episode is.
  var place: EpisodePlace?
  /// Its files, the one with the most picture first; empty for a series, and for an episode that only notes tell of.
  var files: [Int64] = []
  /// Its pictures by kind: where they are, relative to the folder that is served.
  var artwork: [ArtworkName.Kind: String] = [:]

  /// An item of which only the title is known.
  init(contentID: String, kind: Kind, title: String) {
    self.contentID = contentID
    self.kind = kind
    self.title = title
  }

  /// One of the facts.
  subscript<Fact>(dynamicMember fact: WritableKeyPath<TitleFacts, Fact>) -> Fact {
    get { facts[keyPath: fact] }
    set { facts[keyPath: fact] = newValue }
  }
}

/// A season of a series.
struct CatalogSeason: Hashable, Sendable {
  /// The id: that of the series and the number.
  var contentID: String
  var seriesID: String
  /// The number; 0 is that of the specials.
  var number: Int
  var title: String
  var overview: String?
  /// When its first episode was shown.
  var airDate: String?
  /// Its episodes in their order.
  var episodes: [String] = []
  /// Its pictures by kind.
  var artwork: [ArtworkName.Kind: String] = [:]

  /// The id of a season: `sr_0123-S01`.
  static func id(series: String, number: Int) -> String {
    "\(series)-S" + (number < 10 ? "0\(number)" : "\(number)")
  }
}

/// A file of a film or an episode.
struct CatalogFile: Hashable, Sendable {
  /// The number, the same over rescans and when the file is renamed or changes.
  var id: Int64
  /// Where it is, relative to the folder that is served.
  var path: String
  var byteCount: Int64
  /// When it was last changed, in nanoseconds since 1970.
  var modified: Int64
  /// OpenSubtitles' hash; `nil` below 131,072 bytes.
  var openSubtitlesHash: String?
  /// What a look inside found.
  var summary: MediaSummary
  /// The film or episode; of a file that holds several episodes the first.
  var ownerID: String
  /// What tells it from other files of the same film.
  var version: String?
  /// The subtitle files beside it, in the order of their index.
  var subtitles: [CatalogPlan.Sidecar]

  /// The name of the file.
  var name: String { CatalogPlanner.parts(of: path).name }
}
