import SiloContract

/// What the server tells of a registered download: the manifest, as it came and as it is read, and its series.
struct ItemSheet: Sendable {
  /// The manifest's bytes, which are kept as they are.
  let bytes: [UInt8]
  /// What is read in them.
  let manifest: OfflineManifest
  /// The series of an episode; `nil` of a film, and when the server does not know it any more.
  var series: ItemDetail?

  /// Asks for the manifest of `row` and, for an episode, for its series: a manifest says neither year nor plot of it.
  ///
  /// - Throws: See `SiloCalls.call`.
  static func read(_ row: DownloadRow, _ session: SiloSession) async throws -> ItemSheet {
    let bytes = try await session.calls.bytes("downloads/\(row.id)/manifest")
    let manifest: OfflineManifest = try session.calls.decode(
      bytes, of: "downloads/\(row.id)/manifest")
    var sheet = ItemSheet(bytes: bytes, manifest: manifest)
    guard sheet.isEpisode, let id = ContentID(manifest.seriesID ?? manifest.contentID) else {
      return sheet
    }
    do {
      let detail = try await SiloCatalog(session).detail(of: id)
      if detail.type == .series { sheet.series = detail }
    } catch let error as DownloadError where [.notFound, .integrity].contains(error.code) {
      // The folder is named by what the manifest says of it.
    }
    return sheet
  }

  /// Whether it is an episode of a series.
  var isEpisode: Bool {
    manifest.type == .episode || (manifest.type == nil && manifest.episodeID != nil)
  }

  /// What it is, for its name on the shelf.
  var subject: ShelfName.Subject {
    guard isEpisode else {
      return .film(title: manifest.title ?? "", year: Self.year(manifest.year))
    }
    let number = Self.number(manifest.episodeNumber, manifest.stableIdentity?.episode) ?? 0
    return .episode(
      series: series?.title ?? manifest.seriesTitle ?? "", year: Self.year(series?.year),
      season: Self.number(manifest.seasonNumber, manifest.stableIdentity?.season) ?? 0,
      episodes: number...number, title: manifest.title)
  }

  /// The first of `numbers` that can be one of a season or an episode; no server means a negative one.
  static func number(_ numbers: Int?...) -> Int? {
    numbers.lazy.compactMap { $0 }.first { $0 >= 0 }
  }

  /// A year that a title can have.
  static func year(_ year: Int?) -> Int? { year.flatMap { (1...9999).contains($0) ? $0 : nil } }
}
