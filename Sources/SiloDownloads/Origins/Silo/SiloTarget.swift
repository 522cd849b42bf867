import SiloContract
import SiloMedia

/// What is to be registered: an item, and the version of it.
struct SiloTarget: Sendable {
  /// The item as the user named it.
  let reference: SiloReference
  /// What is asked for.
  let request: CreateRequest
  /// The version.
  let file: MediaFileID
  /// The subtitles of the version, inside and beside; none when nobody asked.
  var subtitles: [VersionSubtitle] = []
  /// What the catalog calls it; `nil` when nobody asked.
  var title: String?

  /// Asks the catalog for the item of a source, and chooses the version that has the wanted languages.
  ///
  /// - Throws: `DownloadError`: `usage` for a series, `notFound` for an item without a file.
  static func find(_ request: DownloadRequest, _ session: SiloSession) async throws -> SiloTarget {
    guard let reference = try SiloReference(request.source),
      let id = ContentID(reference.episodeID ?? reference.id)
    else { throw DownloadError(.usage, "This is no item of a server.") }
    let detail = try await SiloCatalog(session).detail(of: id)
    guard detail.type != .series, detail.type != .season else {
      throw DownloadError(
        .usage, "This is a series: fetch it with: silo-fetch season silo:\(reference.id)",
        subject: reference.description)
    }
    guard let version = VersionChoice.choose(detail.versions, request.wishes) else {
      throw DownloadError(
        .notFound, "The server has no file of it.", subject: reference.description)
    }
    // A row of an episode is that of its series (facts, 1.2): an episode's id alone finds no file.
    var item = CreateRequest(contentID: detail.contentID)
    if detail.type == .episode {
      guard let series = detail.seriesID ?? (reference.episodeID == nil ? nil : reference.id) else {
        throw DownloadError(
          .integrity, "The server does not say which series this is of.",
          subject: reference.description)
      }
      item = CreateRequest(contentID: series)
      item.episodeID = detail.contentID
    }
    item.fileID = version.fileID
    item.quality = request.quality.map(Quality.init) ?? .original
    var target = SiloTarget(reference: reference, request: item, file: version.fileID)
    target.subtitles = version.subtitleTracks ?? []
    target.title = SiloCatalog.title(of: detail)
    return target
  }

  /// What `row` was registered for with its season; `nil` when it does not say which version it is.
  static func of(_ row: DownloadRow, _ reference: SiloReference) -> SiloTarget? {
    guard let file = row.mediaFileID else { return nil }
    var item = CreateRequest(contentID: row.contentID)
    (item.episodeID, item.fileID, item.quality) = (row.episodeID, file, .original)
    return SiloTarget(reference: reference, request: item, file: file)
  }
}
