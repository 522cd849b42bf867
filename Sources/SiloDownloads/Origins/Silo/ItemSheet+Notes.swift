import SiloContract

/// What a media centre reads, out of what the server tells; no address and no id of the server is in it.
extension ItemSheet {
  /// The most characters of a title and of a plot.
  private static let longest = (title: 1000, plot: 20_000)

  /// The note of the film or the episode.
  var note: NFONote {
    var note = NFONote(
      isEpisode ? .episode : .film, title: Self.cut(manifest.title, Self.longest.title) ?? "")
    note.year = Self.year(manifest.year)
    note.plot = Self.cut(manifest.overview, Self.longest.plot)
    note.minutes = manifest.runtimeMinutes.flatMap { $0 > 0 ? $0 : nil }
    note.identities = Self.identities(manifest.stableIdentity?.providerIDs)
    if isEpisode {
      note.show = Self.cut(series?.title ?? manifest.seriesTitle, Self.longest.title)
      note.season = Self.number(manifest.seasonNumber, manifest.stableIdentity?.season)
      note.episode = Self.number(manifest.episodeNumber, manifest.stableIdentity?.episode)
    } else {
      note.genres = Self.genres(manifest.genres)
      note.rating = Self.cut(manifest.contentRating, 40)
    }
    return note
  }

  /// The note of the series of an episode.
  var seriesNote: NFONote {
    let title = Self.cut(series?.title ?? manifest.seriesTitle, Self.longest.title)
    var note = NFONote(.series, title: title ?? "")
    note.year = Self.year(series?.year)
    note.plot = Self.cut(series?.overview, Self.longest.plot)
    note.genres = Self.genres(series?.genres ?? manifest.genres)
    note.rating = Self.cut(series?.contentRating ?? manifest.contentRating, 40)
    let known = ["imdb": series?.imdbID, "tmdb": series?.tmdbID, "tvdb": series?.tvdbID]
    let own = known.compactMapValues { $0 }
    note.identities = Self.identities(
      own.isEmpty ? manifest.stableIdentity?.seriesProviderIDs : own)
    return note
  }

  private static func cut(_ text: String?, _ limit: Int) -> String? {
    text.map { String($0.prefix(limit)) }
  }

  private static func genres(_ names: [String]?) -> [String] {
    (names ?? []).prefix(30).map { String($0.prefix(100)) }
  }

  /// Only the places that a media centre asks, and what looks like an id.
  private static func identities(_ ids: [String: String]?) -> [String: String] {
    (ids ?? [:]).filter { place, id in
      ["imdb", "tmdb", "tvdb"].contains(place) && (1...32).contains(id.utf8.count)
        && id.utf8.allSatisfy {
          $0 < 0x80
            && ($0 == 0x2D || Character(.init($0)).isLetter || Character(.init($0)).isNumber)
        }
    }
  }
}
