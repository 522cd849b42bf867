import SiloContract
import SiloMedia
import SiloSystem

/// The rows of a season, registered by one call and described by another.
package struct SeasonRows: Sendable {
  /// An episode that the server left out.
  package struct Skipped: Sendable, Hashable {
    /// The episode.
    package let episode: SiloReference
    /// Numbers and title, else the id.
    package let title: String
    /// Why, as the server says it.
    package let reason: String
  }

  /// What can be fetched, in the order of the episodes.
  package private(set) var episodes: [SiloReference] = []
  /// What was left out.
  package private(set) var skipped: [Skipped] = []
  private var rows: [String: DownloadRow] = [:]
  private var sheets: [DownloadID: ItemSheet] = [:]

  /// Whether one call can register `episodes`: there is nothing to choose, so that the server's choice is the only one.
  ///
  /// An episode with several versions that was registered by the server's choice and then by ours would rise by two revisions
  /// whenever it is asked for.
  package static func isApt(_ episodes: [SiloCatalog.SeriesEpisode], _ request: DownloadRequest)
    -> Bool
  {
    let wishes = request.wishes
    return request.quality == nil && !wishes.requiresAudio && wishes.audioTracks == nil
      && request.maximumSize == nil
      && episodes.allSatisfy { !$0.hasFile || $0.versionCount == 1 }
  }

  /// Registers all episodes of a series, or of one season of it.
  ///
  /// - Returns: `nil` where each has to be registered by itself: one of them is given out no more, which a new registration
  ///   would undo, or there is no room for a batch beside what is under way.
  /// - Throws: `DownloadError`: by `SiloRefusal`.
  package static func register(
    _ series: SiloReference, season: Int?, _ known: [SiloCatalog.SeriesEpisode],
    _ session: SiloSession
  ) async throws -> SeasonRows? {
    let list: DownloadList = try await session.calls.call("GET", "downloads")
    guard !list.downloads.contains(where: { $0.contentID == series.id && $0.status == .revoked })
    else { return nil }
    var request = CreateRequest(contentID: series.id)
    (request.isSeries, request.seasonNumber, request.quality) = (true, season, .original)
    let batch: DownloadBatch
    do {
      // One attempt: a batch that is too much now is too much in a minute, too.
      batch = try await session.once().calls.call("POST", "downloads", sending: request)
    } catch let error as DownloadError where error.code == .temporary {
      return nil
    }
    var result = SeasonRows(batch, of: series, known)
    await result.describe(batch, of: series, session)
    return result
  }

  private init(
    _ batch: DownloadBatch, of series: SiloReference, _ known: [SiloCatalog.SeriesEpisode]
  ) {
    for row in batch.downloads {
      if let episode = row.episodeID { rows[episode] = row }
    }
    let titles = Dictionary(known.map { ($0.reference.episodeID ?? "", $0.title) }) { a, _ in a }
    let order = known.compactMap(\.reference.episodeID)
    let more = batch.downloads.compactMap(\.episodeID).filter { titles[$0] == nil }
    episodes = (order + more).filter { rows[$0] != nil && ContentID($0) != nil }.map {
      SiloReference(id: series.id, episodeID: $0)
    }
    skipped = (batch.skipped ?? []).filter { ContentID($0.episodeID) != nil }.map { left in
      Skipped(
        episode: SiloReference(id: series.id, episodeID: left.episodeID),
        title: titles[left.episodeID] ?? left.episodeID,
        reason: Redaction.cut(left.reason?.rawValue ?? "no reason", to: 60))
    }
  }

  /// Asks for the manifests of all rows, and once for the series; whatever is missing then is asked for by each episode.
  private mutating func describe(
    _ batch: DownloadBatch, of series: SiloReference, _ session: SiloSession
  ) async {
    guard let id = batch.downloads.compactMap(\.batchID).first,
      let text = try? await session.calls.bytes("downloads/batches/\(id)/manifests"),
      let content = ContentID(series.id)
    else { return }
    let detail = try? await SiloCatalog(session).detail(of: content)
    for element in JSONElements.list("manifests", in: text) {
      let bytes = Array(element)
      guard let manifest = try? ContractJSON.decode(OfflineManifest.self, from: bytes) else {
        continue
      }
      sheets[manifest.downloadID] = ItemSheet(
        bytes: bytes, manifest: manifest, series: detail?.type == .series ? detail : nil)
    }
  }

  /// The row of an episode; `nil` when it is not of this season.
  func row(of reference: SiloReference) -> DownloadRow? {
    guard let row = reference.episodeID.flatMap({ rows[$0] }), row.contentID == reference.id else {
      return nil
    }
    return row
  }

  /// What was told of `row`; `nil` when it has to be asked for: what is told of a file in the making is not true of the file.
  func sheet(of row: DownloadRow) -> ItemSheet? {
    guard let registered = row.episodeID.flatMap({ rows[$0] }), registered.id == row.id,
      (try? ManagedRow(row: registered).step()) == .fetch, let sheet = sheets[row.id],
      sheet.manifest.revision == row.revision
    else { return nil }
    return sheet
  }
}
