/// All that the catalog knew after one scan: a value, to be asked without waiting.
struct CatalogContents: Hashable, Sendable {
  /// Films, series and episodes by id.
  var items: [String: CatalogItem] = [:]
  /// The seasons of each series in their order; the specials come first.
  var seasons: [String: [CatalogSeason]] = [:]
  /// Files by number.
  var files: [Int64: CatalogFile] = [:]
  /// What is searched, in the order of titles.
  var titles: [SearchableTitle] = []
  /// What the catalog does without, and why.
  var skipped: [SkippedFile] = []

  /// The film, series or episode of that id.
  func item(_ id: String) -> CatalogItem? { items[id] }

  /// The season of that id.
  func season(_ id: String) -> CatalogSeason? {
    guard let dash = id.lastIndex(of: "-") else { return nil }
    return seasons[String(id[..<dash])]?.first { $0.contentID == id }
  }

  /// The season `number` of a series.
  func season(_ number: Int, of series: String) -> CatalogSeason? {
    seasons[series]?.first { $0.number == number }
  }

  /// The episodes of a series in their order; of one season only, when there is a number.
  func episodes(of series: String, season number: Int? = nil) -> [CatalogItem] {
    (seasons[series] ?? []).filter { number == nil || $0.number == number }
      .flatMap { $0.episodes.compactMap { items[$0] } }
  }

  /// The files of a film or an episode, the one with the most picture first.
  func files(of item: CatalogItem) -> [CatalogFile] { item.files.compactMap { files[$0] } }

  /// The film or episode that a file is of, and the series of the latter.
  func owner(of file: CatalogFile) -> (item: CatalogItem, series: CatalogItem?)? {
    guard let item = items[file.ownerID] else { return nil }
    return (item, item.seriesID.flatMap { items[$0] })
  }

  /// Where the picture of that kind is for an item: an episode without one of its own has that of its season or series.
  func artwork(_ kind: ArtworkName.Kind, of item: CatalogItem) -> String? {
    if let own = item.artwork[kind] { return own }
    guard let series = item.seriesID.flatMap({ items[$0] }) else { return nil }
    let season = item.place.flatMap { self.season($0.season, of: series.contentID) }
    return season?.artwork[kind] ?? series.artwork[kind]
  }
}
