extension CatalogPlanner {
  /// Finds out whose every video of the folder at `path` is.
  mutating func placeVideos(of path: String) {
    guard let contents = contents[path], !contents.videos.isEmpty else { return }
    let folder = folder(path)
    guard !folder.isExtra, !folder.isSubtitles else { return }
    var films: [(FoundFile, MediaName)] = []
    var episodes: [(FoundFile, MediaName)] = []
    let parts = StackedPart.parts(of: contents.videos.map(\.stem))
    for file in contents.videos where !ExtraName.isExtra(file.stem) {
      if let part = parts[file.stem] {
        skip(
          file.path,
          "it is part \(part.number) of a film in several files, and only whole ones are served: join them into one"
        )
        continue
      }
      let name = name(of: file, in: folder)
      let isEpisode =
        name.number != nil || folder.season != nil || folder.name.number != nil
        || !notes(at: Self.join(path, file.stem + ".nfo"), [.episode]).isEmpty
      if isEpisode { episodes.append((file, name)) } else { films.append((file, name)) }
    }
    placeEpisodes(episodes, in: folder)
    placeFilms(films, in: folder)
  }

  private mutating func placeFilms(_ films: [(FoundFile, MediaName)], in folder: PlannedFolder) {
    for (file, name) in films {
      let isOfFolder = isFilm(of: folder, name, file, alone: films.count == 1)
      let title = isOfFolder ? folder.name.title : name.title
      let year = isOfFolder ? folder.name.year ?? name.year : name.year
      let ids = isOfFolder ? name.ids.merging(folder.name.ids) : name.ids
      // Without a year two films may share a title: only those in one folder are one.
      let folded = FoldedText.of(title)
      let key =
        year.map { "film:\(folded.isEmpty ? title : folded):\($0)" }
        ?? "film:\(folded.isEmpty ? title : folded)@\(folder.path)"
      var film =
        plan.films[key]
        ?? CatalogPlan.Film(title: title.isEmpty ? file.stem : title, year: year, ids: ids)
      film.ids = film.ids.merging(ids)
      film.paths.append(file.path)
      plan.films[key] = film
      plan.media[file.path] = CatalogPlan.Media(
        owner: .film(key), version: name.version ?? (isOfFolder ? Self.rest(name, folder) : nil))
      if isOfFolder { filmOfFolder[folder.path] = key }
    }
  }

  /// Whether the folder's name is that of the film, and not only of a place for films.
  private func isFilm(
    of folder: PlannedFolder, _ name: MediaName, _ file: FoundFile, alone: Bool
  ) -> Bool {
    guard !folder.isShelf, !folder.name.title.isEmpty else { return false }
    let (own, upper) = (name.foldedTitle, folder.name.foldedTitle)
    if let year = name.year, let upperYear = folder.name.year, year != upperYear { return false }
    if own == upper { return true }
    let isNamed = folder.name.year != nil || folder.name.ids != ProviderIDs()
    // `Dune (2021)/Dune Extended.mkv`, and not `Alien/Alien Resurrection (1997).mkv`.
    if isNamed, own.hasPrefix(upper + " ") { return true }
    guard alone else { return false }
    if isNamed { return name.year == nil }
    let isNoted = !notes(at: Self.join(folder.path, "movie.nfo"), [.movie]).isEmpty
    return isNoted || own.isEmpty || Self.nameless.contains(own)
  }

  /// What the file's title says beyond the folder's: `Extended`.
  private static func rest(_ name: MediaName, _ folder: PlannedFolder) -> String? {
    let words = name.title.split(separator: " ")
    let count = folder.name.title.split(separator: " ").count
    guard words.count > count, name.foldedTitle.hasPrefix(folder.name.foldedTitle) else {
      return nil
    }
    let rest = words[count...].joined(separator: " ").trimming { " -".contains($0) }
    // `Alien (1979)/Alien 1979.mkv`: that is no other version.
    return rest == folder.name.year.map(String.init) ? nil : rest
  }

  /// What a film's file is called by those who leave the title to the folder.
  private static let nameless: Set<String> = ["movie", "film", "video", "main"]

  private mutating func placeEpisodes(
    _ episodes: [(FoundFile, MediaName)], in folder: PlannedFolder
  ) {
    guard !episodes.isEmpty else { return }
    let episodes = joined(episodes, in: folder)
    let prefixes = Set(episodes.map(\.1.foldedTitle).filter { !$0.isEmpty })
    for (file, name) in episodes {
      let notes = notes(at: Self.join(folder.path, file.stem + ".nfo"), [.episode])
      guard let places = places(of: name, notes, in: folder), let first = places.first else {
        skip(file.path, "its name has no episode's number, such as S01E02")
        continue
      }
      let key = series(of: name, in: folder, prefixes: prefixes)
      if folder.isSeason, let season = folder.season {
        seasonOfFolder[folder.path] = (key, season)
      }
      for place in places {
        var episode = plan.series[key]?.episodes[place] ?? CatalogPlan.Episode()
        episode.title = episode.title ?? name.episodeTitle
        episode.paths.append(file.path)
        plan.series[key]?.episodes[place] = episode
      }
      plan.media[file.path] = CatalogPlan.Media(
        owner: .episode(key, first), version: name.version)
    }
  }

  /// The names read once more, with `101` as the first episode of season 1, where the folder is of that season and every
  /// number in it agrees: among `099`, `100` and `101` it is one of many.
  private func joined(
    _ episodes: [(FoundFile, MediaName)], in folder: PlannedFolder
  ) -> [(FoundFile, MediaName)] {
    guard let season = folder.season, season > 0 else { return episodes }
    var isFound = false
    for (file, name) in episodes where name.number?.season == nil {
      let joined = MediaName.joinedNumber(file.stem)
      // One that is found otherwise stands at the start, or is no such number.
      if let number = name.number, joined == nil || number.place.lowerBound > 0 { return episodes }
      guard let joined else { continue }
      guard joined.season == season, joined.episodes != [0] else { return episodes }
      isFound = true
    }
    guard isFound else { return episodes }
    return episodes.map { file, _ in
      (file, MediaName(file.stem, isInSeason: true, isJoined: true))
    }
  }

  private func places(
    of name: MediaName, _ notes: [MediaNotes], in folder: PlannedFolder
  ) -> [EpisodePlace]? {
    // `Dark S01E01 1080p/abc.mkv`: the folder may have what the file has not.
    if let number = name.number ?? folder.name.number,
      let season = number.season ?? folder.season
    {
      return number.episodes.map { EpisodePlace(season: season, number: $0) }
    }
    let noted = notes.compactMap { note -> EpisodePlace? in
      guard let season = note.season ?? folder.season, let number = note.episode else { return nil }
      return EpisodePlace(season: season, number: number)
    }
    return noted.isEmpty ? nil : noted
  }

  /// The series that an episode belongs to; made when it is new.
  mutating func series(
    of name: MediaName, in folder: PlannedFolder, prefixes: Set<String>
  ) -> String {
    if let upper = seriesFolder(of: name, in: folder, prefixes: prefixes) {
      let upperFolder = self.folder(upper)
      let title = folder.seriesName ?? upperFolder.name
      if !title.title.isEmpty {
        let key = makeSeries(title.title, title.year, title.ids)
        seriesOfFolder[upper] = key
        return key
      }
    }
    let key: String
    if name.title.isEmpty, let root = folders[""], !root.name.title.isEmpty {
      key = makeSeries(root.name.title, root.name.year, root.name.ids)
    } else {
      key = makeSeries(name.title.isEmpty ? "Unknown" : name.title, name.year, name.ids)
    }
    if folder.seriesFolder == "" { seriesOfFolder[""] = key }
    return key
  }

  /// The folder that is the series', or `nil` when the file's own name has to tell it.
  private mutating func seriesFolder(
    of name: MediaName, in folder: PlannedFolder, prefixes: Set<String>
  ) -> String? {
    if let upper = folder.seriesFolder {
      // Seasons right in the folder that is served: its name is a title only when nothing else is.
      return upper.isEmpty && !name.title.isEmpty ? nil : upper
    }
    let isEpisode = folder.name.number != nil
    let upper = isEpisode ? self.folder(Self.parts(of: folder.path).folder) : folder
    guard !upper.isShelf else { return nil }
    let (own, title) = (name.foldedTitle, upper.name.foldedTitle)
    if own.isEmpty || PlannedFolder.areAlike(own, title) { return upper.path }
    let isNamed =
      upper.name.year != nil || upper.name.ids != ProviderIDs()
      || !notes(at: Self.join(upper.path, "tvshow.nfo"), [.series]).isEmpty
    // Several series in one folder: it is none of them.
    return isNamed || prefixes.count < 2 ? upper.path : nil
  }

  private mutating func makeSeries(_ title: String, _ year: Int?, _ ids: ProviderIDs) -> String {
    let folded = FoldedText.of(title)
    let key = "series:\(folded.isEmpty ? title : folded)" + (year.map { ":\($0)" } ?? "")
    var series =
      plan.series[key] ?? CatalogPlan.Series(title: title, year: year, ids: ProviderIDs())
    series.ids = series.ids.merging(ids)
    plan.series[key] = series
    return key
  }
}
