import SiloContract
import SiloMedia
import SiloSystem

/// What the catalog answers, as values of the contract.
extension Catalog {
  /// The address of an item's picture.
  static func artworkAddress(_ kind: ArtworkName.Kind, of id: String) -> String {
    "/api/v1/catalog/items/\(id)/artwork/\(kind.rawValue)"
  }

  /// One page of a search.
  func page(_ search: CatalogSearch) -> CatalogPage {
    let contents = contents
    let (items, total) = search.results(in: contents)
    let end = search.offset.addingReportingOverflow(items.count)
    return CatalogPage(
      items: items.map { entry(of: $0, in: contents) }, total: total,
      hasMore: !end.overflow && !items.isEmpty && end.partialValue < total)
  }

  private func entry(of item: CatalogItem, in contents: CatalogContents) -> CatalogEntry {
    var entry = CatalogEntry(
      contentID: item.contentID, type: ContentKind(item.kind), title: item.title)
    entry.seriesID = item.seriesID
    entry.seriesTitle = item.seriesID.flatMap { contents.items[$0]?.title }
    (entry.seasonNumber, entry.episodeNumber) = (item.place?.season, item.place?.number)
    (entry.year, entry.runtimeMinutes) = (item.year, item.runtimeMinutes)
    (entry.genres, entry.status, entry.overview) = (item.genres, item.status, item.overview)
    entry.posterURL = posterAddress(of: item, in: contents)
    return entry
  }

  private func posterAddress(of item: CatalogItem, in contents: CatalogContents) -> String? {
    address(of: .poster, for: item, in: contents)
  }

  private func address(
    of kind: ArtworkName.Kind, for item: CatalogItem, in contents: CatalogContents
  ) -> String? {
    contents.artwork(kind, of: item).map { _ in Self.artworkAddress(kind, of: item.contentID) }
  }

  /// The film, series, season or episode of that id; `nil` when there is none.
  func detail(_ id: String) async throws -> ItemDetail? {
    let contents = contents
    if let season = contents.season(id) { return detail(of: season, in: contents) }
    guard let item = contents.item(id) else { return nil }
    return try await details(of: [item], in: contents).first
  }

  /// The episodes of a series, with their files.
  func episodeDetails(of series: String, season: Int?) async throws -> [ItemDetail] {
    let contents = contents
    return try await details(of: contents.episodes(of: series, season: season), in: contents)
  }

  private func details(
    of items: [CatalogItem], in contents: CatalogContents
  ) async throws -> [ItemDetail] {
    let files = items.map { contents.files(of: $0) }
    let inventories = try await inventories(of: files.flatMap { $0 })
    return zip(items, files).map { item, files in
      var detail = ItemDetail(
        contentID: item.contentID, type: ContentKind(item.kind), title: item.title)
      (detail.year, detail.overview) = (item.year, item.overview)
      (detail.runtimeMinutes, detail.contentRating) = (item.runtimeMinutes, item.contentRating)
      detail.genres = item.genres
      (detail.imdbID, detail.tmdbID, detail.tvdbID) = (item.ids.imdb, item.ids.tmdb, item.ids.tvdb)
      detail.versions = files.map { MediaVersion($0, inventories[$0.id]) }
      detail.subtitles = detail.versions.flatMap { $0.subtitleTracks ?? [] }.map(ItemSubtitle.init)
      detail.seriesID = item.seriesID
      detail.seriesTitle = item.seriesID.flatMap { contents.items[$0]?.title }
      (detail.seasonNumber, detail.episodeNumber) = (item.place?.season, item.place?.number)
      if item.kind == .series { detail.seasonCount = contents.seasons[item.contentID]?.count ?? 0 }
      detail.airDate = item.airDate
      detail.posterURL = posterAddress(of: item, in: contents)
      detail.backdropURL = address(of: .backdrop, for: item, in: contents)
      detail.logoURL = address(of: .logo, for: item, in: contents)
      return detail
    }
  }

  private func detail(of season: CatalogSeason, in contents: CatalogContents) -> ItemDetail {
    var detail = ItemDetail(contentID: season.contentID, type: .season, title: season.title)
    detail.overview = season.overview
    detail.seriesID = season.seriesID
    detail.seriesTitle = contents.items[season.seriesID]?.title
    let value = value(of: season, in: contents)
    (detail.seasonNumber, detail.isSpecials) = (season.number, value.isSpecials)
    (detail.episodeCount, detail.posterURL) = (value.episodeCount, value.posterURL)
    detail.airDate = season.airDate
    return detail
  }

  /// The seasons of a series; `nil` when there is no such series.
  func seasons(of series: String) -> SeasonList? {
    let contents = contents
    guard contents.items[series]?.kind == .series else { return nil }
    return SeasonList((contents.seasons[series] ?? []).map { value(of: $0, in: contents) })
  }

  /// One season; `nil` when there is none of that number.
  func season(_ number: Int, of series: String) -> SeasonAnswer? {
    let contents = contents
    return contents.season(number, of: series).map { SeasonAnswer(value(of: $0, in: contents)) }
  }

  private func value(of season: CatalogSeason, in contents: CatalogContents) -> Season {
    var value = Season(
      contentID: season.contentID, seasonNumber: season.number, title: season.title,
      episodeCount: season.episodes.count)
    (value.overview, value.airDate) = (season.overview, season.airDate)
    let poster = season.artwork[.poster] ?? contents.items[season.seriesID]?.artwork[.poster]
    value.posterURL = poster.map { _ in Self.artworkAddress(.poster, of: season.contentID) }
    return value
  }

  /// The episodes of a season, with and without files; `nil` when there is no such season.
  func episodes(_ number: Int, of series: String) -> EpisodeList? {
    let contents = contents
    guard contents.season(number, of: series) != nil else { return nil }
    return EpisodeList(
      contents.episodes(of: series, season: number).map { item in
        var episode = Episode(
          contentID: item.contentID, seasonNumber: number, episodeNumber: item.place?.number ?? 0,
          title: item.title)
        (episode.overview, episode.airDate) = (item.overview, item.airDate)
        episode.runtimeMinutes = item.runtimeMinutes
        (episode.imdbID, episode.tmdbID, episode.tvdbID) =
          (item.ids.imdb, item.ids.tmdb, item.ids.tvdb)
        let files = contents.files(of: item).map(EpisodeFile.init)
        episode.files = files.isEmpty ? nil : files
        return episode
      })
  }
}

extension ContentKind {
  init(_ kind: CatalogItem.Kind) {
    self =
      switch kind {
      case .movie: .movie
      case .series: .series
      case .episode: .episode
      }
  }
}
