/// What the files of the folder are: films, series and their episodes, told by names and notes alone.
struct CatalogPlan: Hashable, Sendable {
  /// A film, a series, a season or an episode, by what its names say.
  enum Owner: Hashable, Sendable {
    case film(String)
    case series(String)
    case season(String, Int)
    case episode(String, EpisodePlace)
  }

  /// A film.
  struct Film: Hashable, Sendable {
    var title: String
    var year: Int?
    var ids: ProviderIDs
    /// Where its files are.
    var paths: [String] = []
  }

  /// A series.
  struct Series: Hashable, Sendable {
    var title: String
    var year: Int?
    var ids: ProviderIDs
    var episodes: [EpisodePlace: Episode] = [:]
  }

  /// An episode; without a file when only notes tell of it.
  struct Episode: Hashable, Sendable {
    var title: String?
    /// Where its files are; a file that holds several episodes stands in each of them.
    var paths: [String] = []
  }

  /// A file of a film or episode.
  struct Media: Hashable, Sendable {
    /// Whose it is; of a file with several episodes the first.
    var owner: Owner
    /// What tells it from other files of the same film.
    var version: String?
    /// The subtitle files that belong to it.
    var subtitles: [Sidecar] = []
  }

  /// A subtitle file.
  struct Sidecar: Hashable, Sendable {
    var path: String
    /// The form: `srt`, `ass`.
    var format: String
    var byteCount: Int64
    var name: SidecarName
  }

  /// A picture, and how good its name is: the lower the better.
  struct Picture: Hashable, Sendable {
    var path: String
    var rank: Int
  }

  /// The films by what they are told apart by.
  var films: [String: Film] = [:]
  /// The series by what they are told apart by.
  var series: [String: Series] = [:]
  /// The files by where they are.
  var media: [String: Media] = [:]
  /// The pictures.
  var artwork: [Owner: [ArtworkName.Kind: Picture]] = [:]
  /// What NFO files say.
  var notes: [Owner: MediaNotes] = [:]
  /// What belongs to nothing, and why.
  var skipped: [SkippedFile] = []
}

/// Where an episode is in its series.
struct EpisodePlace: Hashable, Sendable, Comparable {
  /// The season; 0 is that of the specials.
  var season: Int
  /// The number within it.
  var number: Int

  static func < (a: EpisodePlace, b: EpisodePlace) -> Bool {
    (a.season, a.number) < (b.season, b.number)
  }
}
