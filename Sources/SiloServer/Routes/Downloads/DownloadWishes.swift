import SiloContract

/// What a request to register means: which files, or why none.
///
/// The decisions of the contract's section 4.1.
struct DownloadWishes: Sendable {
  let shelf: any MediaShelf
  let limits: DownloadLimits

  /// What is to be registered.
  enum Outcome: Sendable {
    /// One film or episode.
    case single(DownloadRegistry.Wish)
    /// A season or a series.
    case batch([DownloadRegistry.Wish], skipped: [DownloadBatch.Skipped])

    /// The files of all of them.
    var files: [MediaFileID] {
      switch self {
      case .single(let wish): [wish.file.version.fileID]
      case .batch(let wishes, _): wishes.map(\.file.version.fileID)
      }
    }
  }

  /// The files that `request` means, as they lie on the disk now.
  func read(_ request: CreateRequest, _ viewer: Viewer) async throws -> Outcome {
    try check(request, viewer)
    let outcome = try await find(request, viewer)
    // What has changed since the last look at the folder is another version, and must not be registered as the one before.
    guard try await shelf.lookAgain(at: outcome.files) else { return outcome }
    return try await find(request, viewer)
  }

  private func find(_ request: CreateRequest, _ viewer: Viewer) async throws -> Outcome {
    if request.isSeries == true { return try await season(request, viewer) }
    let file = try await file(of: request, viewer)
    let target = try rules(viewer).target(
      of: request.quality ?? .original, file.version, request.capabilities)
    return .single(DownloadRegistry.Wish(file: file, target: target))
  }

  private func rules(_ viewer: Viewer) -> DeliveryRules {
    limits.rules(for: viewer.caller.account.name)
  }

  /// Everything that is wrong before the catalog is asked, in the order in which servers tell it.
  private func check(_ request: CreateRequest, _ viewer: Viewer) throws(Refusal) {
    guard !request.contentID.isEmpty else { throw .badRequest("content_id is required") }
    if let season = request.seasonNumber, season < 0 {
      throw .badRequest("season_number must be >= 0")
    }
    _ = try DownloadScope(viewer)
    guard limits.areEnabled else { throw Refusal(403, .featureDisabled, "Downloads are disabled") }
    guard limits.mayDownload(viewer.caller.account.name) else {
      throw Refusal(403, .forbidden, "This account may not download")
    }
    let quality = request.quality ?? .original
    guard Quality.ladder.contains(quality) else {
      throw Refusal(400, .invalidQuality, "There is no such quality")
    }
    guard quality != .original else { return }
    guard request.isSeries != true else {
      throw Refusal(501, .bulkQualityUnavailable, "Seasons are registered at original quality")
    }
    try rules(viewer).requireTranscoding()
  }

  private func file(of request: CreateRequest, _ viewer: Viewer) async throws -> ShelfFile {
    if let id = request.fileID {
      guard let file = try await shelf.file(id), viewer.maySee(file.version) else {
        throw Refusal.notFound
      }
      return file
    }
    let item = try await shelf.item(request.episodeID ?? request.contentID)
    guard let item else { throw Refusal.notFound }
    let isMeant =
      request.episodeID == nil
      ? item.type == .movie : item.type == .episode && item.seriesID == request.contentID
    guard isMeant, let file = try await bestFile(of: item, viewer) else { throw Refusal.notFound }
    return file
  }

  private func season(_ request: CreateRequest, _ viewer: Viewer) async throws -> Outcome {
    guard let series = try await shelf.item(request.contentID) else { throw Refusal.notFound }
    guard series.type == .series else {
      throw Refusal(500, .internalError, "This is no series")
    }
    var wishes: [DownloadRegistry.Wish] = []
    var skipped: [DownloadBatch.Skipped] = []
    for episode in try await shelf.episodes(of: request.contentID, season: request.seasonNumber) {
      if let file = try await bestFile(of: episode, viewer) {
        wishes.append(DownloadRegistry.Wish(file: file))
      } else {
        skipped.append(DownloadBatch.Skipped(episodeID: episode.contentID, reason: .noFile))
      }
    }
    guard !wishes.isEmpty else {
      throw Refusal(404, .noDownloadableEpisodes, "No episode has a file")
    }
    return .batch(wishes, skipped: skipped)
  }

  /// The file of the highest resolution that the profile may have; of equal ones the longest.
  private func bestFile(of item: ItemDetail, _ viewer: Viewer) async throws -> ShelfFile? {
    let versions = item.versions.filter(viewer.maySee).sorted { left, right in
      (left.height ?? 0, left.fileSize ?? 0) > (right.height ?? 0, right.fileSize ?? 0)
    }
    for version in versions {
      guard var file = try await shelf.file(version.fileID) else { continue }
      // A file may hold several episodes: the row is of the one that was asked for.
      if item.type == .episode { file.episodeID = item.contentID }
      return file
    }
    return nil
  }
}

extension Viewer {
  /// Whether the profile may have this version.
  func maySee(_ version: MediaVersion) -> Bool {
    guard let most = profile?.maximumQuality.flatMap(MediaVersion.height),
      let height = version.height
    else { return true }
    return height <= most
  }
}
