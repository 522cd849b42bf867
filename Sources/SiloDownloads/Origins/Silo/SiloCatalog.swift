import SiloContract

/// What a server has: found by words, looked up by id (facts, section 10).
public struct SiloCatalog: Sendable {
  /// The most that one page may have.
  static let pageCount = 100

  private let session: SiloSession

  /// The catalog of the server of `session`.
  public init(_ session: SiloSession) { self.session = session }

  /// One thing that was found.
  public struct Finding: Hashable, Sendable {
    /// What to give to `get` or `season`.
    public let reference: SiloReference
    /// `movie`, `series`, `episode`; open.
    public let kind: String
    /// The title; of an episode with series and numbers.
    public let title: String
    /// The year; `nil` when unknown.
    public let year: Int?
  }

  /// The first `limit` items that the server finds for `text`, best first.
  ///
  /// An item whose id could lead elsewhere is left out. Pages are asked for until there are enough, each once.
  public func search(_ text: String, limit: Int) async throws -> [Finding] {
    var findings: [Finding] = []
    var offset = 0
    while findings.count < limit {
      let page: CatalogPage = try await session.calls.call(
        "GET", "catalog",
        query: [
          ("q", text), ("limit", String(min(Self.pageCount, limit - findings.count))),
          ("offset", String(offset)),
        ])
      findings += page.items.compactMap(Self.finding)
      offset += page.items.count
      guard page.hasMore == true, !page.items.isEmpty else { break }
    }
    return Array(findings.prefix(limit))
  }

  private static func finding(_ entry: CatalogEntry) -> Finding? {
    guard ContentID(entry.contentID) != nil else { return nil }
    let series = entry.seriesID.flatMap { ContentID($0) }
    let reference =
      series.map { SiloReference(id: $0.text, episodeID: entry.contentID) }
      ?? SiloReference(id: entry.contentID)
    return Finding(
      reference: reference, kind: entry.type.rawValue, title: title(of: entry), year: entry.year)
  }

  private static func title(of entry: CatalogEntry) -> String {
    title(entry.title, of: entry.seriesTitle, entry.seasonNumber, entry.episodeNumber)
  }

  /// What an item is called: an episode with its series and numbers.
  static func title(of detail: ItemDetail) -> String {
    title(detail.title, of: detail.seriesTitle, detail.seasonNumber, detail.episodeNumber)
  }

  private static func title(
    _ title: String, of series: String?, _ season: Int?, _ episode: Int?
  ) -> String {
    guard let series else { return title }
    let place = number(season, "S") + number(episode, "E")
    return [series, place, title].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// One episode of a series.
  public struct SeriesEpisode: Hashable, Sendable {
    /// What to give to `get`.
    public let reference: SiloReference
    /// Numbers and title.
    public let title: String
    /// Whether the server has a file of it.
    public let hasFile: Bool
    /// How many versions the server lists; `nil` when it lists none here.
    package let versionCount: Int?
  }

  /// The episodes of a series in the order of seasons and numbers, the specials last.
  ///
  /// - Parameter season: Only those of this one; 0 is the specials.
  /// - Throws: `DownloadError.notFound` for a series or a season that is not there, `usage` for an item that is no series.
  public func episodes(of reference: SiloReference, season: Int?) async throws -> [SeriesEpisode] {
    guard reference.episodeID == nil, let series = ContentID(reference.id) else {
      throw DownloadError(
        .usage, "This is one episode: fetch it with get.", subject: reference.description)
    }
    let seasons: [Season]
    do { seasons = try await self.seasons(of: series) } catch let error as DownloadError
      where error.code == .notFound
    {
      guard (try? await detail(of: series)) != nil else { throw error }
      throw DownloadError(
        .usage, "This is no series: fetch it with get.", subject: reference.description)
    }
    let numbers = seasons.map(\.seasonNumber).sorted {
      ($0 == 0 ? Int.max : $0, $0) < ($1 == 0 ? Int.max : $1, $1)
    }
    if let season, !numbers.contains(season) {
      let there = numbers.map(String.init).joined(separator: ", ")
      throw DownloadError(
        .notFound, "There is no season \(season); there are: \(there.isEmpty ? "none" : there).",
        subject: reference.description)
    }
    var found: [SeriesEpisode] = []
    for number in numbers where season == nil || season == number {
      let list = try await episodes(of: series, season: number)
      for episode in list.sorted(by: { $0.episodeNumber < $1.episodeNumber }) {
        guard let id = ContentID(episode.contentID) else { continue }
        found.append(try await entry(episode, id, of: series))
      }
    }
    return found
  }

  private func entry(
    _ episode: Episode, _ id: ContentID, of series: ContentID
  ) async throws -> SeriesEpisode {
    let files = episode.files ?? []
    var hasFile = !files.isEmpty
    // Not every server lists files here.
    if !hasFile { hasFile = try await !detail(of: id).versions.isEmpty }
    let place = Self.number(episode.seasonNumber, "S") + Self.number(episode.episodeNumber, "E")
    return SeriesEpisode(
      reference: SiloReference(id: series.text, episodeID: id.text),
      title: [place, episode.title ?? ""].filter { !$0.isEmpty }.joined(separator: " "),
      hasFile: hasFile, versionCount: files.isEmpty ? nil : files.count)
  }

  private static func number(_ value: Int?, _ letter: String) -> String {
    value.map { letter + ($0 < 10 ? "0" : "") + String($0) } ?? ""
  }

  /// Everything about one item, whatever kind its id is of.
  func detail(of id: ContentID) async throws -> ItemDetail {
    try await session.calls.call("GET", "catalog/items/\(id)")
  }

  /// The seasons of a series, as the server orders them.
  func seasons(of series: ContentID) async throws -> [Season] {
    let list: SeasonList = try await session.calls.call(
      "GET", "catalog/series/\(series)/seasons")
    return list.seasons
  }

  /// The episodes of one season; 0 is the specials.
  func episodes(of series: ContentID, season: Int) async throws -> [Episode] {
    let list: EpisodeList = try await session.calls.call(
      "GET", "catalog/series/\(series)/seasons/\(season)/episodes")
    return list.episodes
  }
}
