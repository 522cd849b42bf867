extension CatalogContents {
  /// What a plan comes to when ids are known and files were looked into.
  ///
  /// - Parameter media: What was found in the files, by their paths below the folder; a file that is not in it, or could not
  ///   be read, counts for nothing.
  init(
    _ plan: CatalogPlan, ids: [CatalogPlan.Owner: String], media: [String: StoredMedia],
    skipped: [SkippedFile] = []
  ) {
    self.skipped = skipped + plan.skipped
    for (path, planned) in plan.media.sorted(by: { $0.key < $1.key }) {
      guard let stored = media[path], let owner = ids[planned.owner] else { continue }
      if let failure = stored.failure {
        self.skipped.append(SkippedFile(path: path, reason: failure))
        continue
      }
      files[stored.id] = CatalogFile(
        id: stored.id, path: path, byteCount: stored.byteCount, modified: stored.modified,
        openSubtitlesHash: stored.openSubtitlesHash, summary: stored.summary, ownerID: owner,
        version: planned.version, subtitles: planned.subtitles)
    }
    for (key, film) in plan.films {
      guard let id = ids[.film(key)] else { continue }
      add(film, id, plan, key, media)
    }
    for (key, series) in plan.series {
      guard let id = ids[.series(key)] else { continue }
      add(series, id, plan, key, ids, media)
    }
    titles = items.values.map(SearchableTitle.init).sorted { a, b in
      (a.title, a.year ?? 0, a.contentID) < (b.title, b.year ?? 0, b.contentID)
    }
  }

  private mutating func add(
    _ film: CatalogPlan.Film, _ id: String, _ plan: CatalogPlan, _ key: String,
    _ media: [String: StoredMedia]
  ) {
    let files = files(at: film.paths, media)
    guard !files.isEmpty else { return }
    var item = CatalogItem(contentID: id, kind: .movie, title: film.title)
    (item.facts.year, item.facts.ids) = (film.year, film.ids)
    item.take(plan, .film(key))
    item.take(files)
    items[id] = item
  }

  private mutating func add(
    _ series: CatalogPlan.Series, _ id: String, _ plan: CatalogPlan, _ key: String,
    _ ids: [CatalogPlan.Owner: String], _ media: [String: StoredMedia]
  ) {
    var item = CatalogItem(contentID: id, kind: .series, title: series.title)
    (item.facts.year, item.facts.ids) = (series.year, series.ids)
    item.take(plan, .series(key))
    var found: [Int: CatalogSeason] = [:]
    for (place, planned) in series.episodes.sorted(by: { $0.key < $1.key }) {
      guard let episodeID = ids[.episode(key, place)] else { continue }
      let files = files(at: planned.paths, media)
      let notes = plan.notes[.episode(key, place)]
      guard !files.isEmpty || notes != nil else { continue }
      var episode = CatalogItem(
        contentID: episodeID, kind: .episode,
        title: planned.title ?? "Episode \(place.number)")
      (episode.seriesID, episode.place) = (id, place)
      episode.take(plan, .episode(key, place))
      episode.take(files)
      items[episodeID] = episode
      var season = found[place.season] ?? Self.season(place.season, of: id, key, plan)
      season.episodes.append(episodeID)
      season.airDate = season.airDate ?? episode.airDate
      found[place.season] = season
    }
    guard !found.isEmpty else { return }
    items[id] = item
    seasons[id] = found.values.sorted { $0.number < $1.number }
  }

  private static func season(
    _ number: Int, of series: String, _ key: String, _ plan: CatalogPlan
  ) -> CatalogSeason {
    let notes = plan.notes[.season(key, number)]
    var season = CatalogSeason(
      contentID: CatalogSeason.id(series: series, number: number), seriesID: series, number: number,
      title: notes?.title ?? (number == 0 ? "Specials" : "Season \(number)"))
    season.overview = notes?.overview
    season.airDate = notes?.airDate
    season.artwork = plan.artwork[.season(key, number)]?.mapValues(\.path) ?? [:]
    return season
  }

  /// The files at `paths`, the one with the most picture first.
  private func files(at paths: [String], _ media: [String: StoredMedia]) -> [CatalogFile] {
    paths.compactMap { media[$0].flatMap { files[$0.id] } }.sorted { a, b in
      let (x, y) = (a.summary.pixelCount, b.summary.pixelCount)
      return x != y ? x > y : (b.byteCount, a.path) < (a.byteCount, b.path)
    }
  }
}

extension CatalogItem {
  /// Takes what notes say, which counts more than names, and the pictures.
  fileprivate mutating func take(_ plan: CatalogPlan, _ owner: CatalogPlan.Owner) {
    artwork = plan.artwork[owner]?.mapValues(\.path) ?? [:]
    guard let notes = plan.notes[owner] else { return }
    title = notes.title ?? title
    let known = facts
    facts = notes.facts
    (facts.year, facts.ids) = (facts.year ?? known.year, facts.ids.merging(known.ids))
  }

  /// Takes the files; the time of the first stands in for what no notes say.
  fileprivate mutating func take(_ found: [CatalogFile]) {
    files = found.map(\.id)
    guard facts.runtimeMinutes == nil, let time = found.first?.summary.durationMilliseconds,
      time > 0
    else { return }
    facts.runtimeMinutes = max(1, Int(clamping: (time + 30_000) / 60_000))
  }
}

extension MediaSummary {
  /// How much picture there is; 0 when that is not known.
  fileprivate var pixelCount: Int {
    let (product, overflow) = (width ?? 0).multipliedReportingOverflow(by: height ?? 0)
    return overflow ? 0 : product
  }
}

extension SearchableTitle {
  fileprivate init(_ item: CatalogItem) {
    contentID = item.contentID
    kind = item.kind
    title = FoldedText.of(item.title)
    others = item.originalTitle.map { [FoldedText.of($0)] } ?? []
    (year, genres) = (item.year, item.genres)
  }
}
