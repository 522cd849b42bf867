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
  }

  /// The files that `request` means.
  func read(_ request: CreateRequest, _ viewer: Viewer) async throws -> Outcome {
    try check(request, viewer)
    let quality = request.quality ?? .original
    if request.isSeries == true {
      return try await season(request, quality, viewer)
    }
    let file = try await file(of: request, viewer)
    try requireDirect(file.version, request.capabilities, viewer)
    return .single(DownloadRegistry.Wish(file: file, quality: quality))
  }

  /// Everything that is wrong before the catalog is asked, in the order in which servers tell it.
  private func check(_ request: CreateRequest, _ viewer: Viewer) throws(Refusal) {
    guard !request.contentID.isEmpty else { throw .badRequest("content_id is required") }
    if let season = request.seasonNumber, season < 0 {
      throw .badRequest("season_number must be >= 0")
    }
    _ = try DownloadScope(viewer)
    guard limits.areEnabled else { throw Refusal(403, .featureDisabled, "Downloads are disabled") }
    let name = viewer.caller.account.name
    guard limits.mayDownload(name) else {
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
    throw noTranscode(name)
  }

  /// Why a file below the source's quality cannot be had from this server, which makes none.
  private func noTranscode(_ name: String) -> Refusal {
    guard limits.transcodes else {
      return Refusal(403, .transcodeDisabled, "This server prepares no files")
    }
    guard limits.mayTranscode(name) else {
      return Refusal(403, .forbidden, "This account may not have files prepared")
    }
    return Refusal(501, .qualityUnavailable, "This quality cannot be prepared now")
  }

  /// A device that says what it can play gets the source when that fits, and nothing else from this server.
  private func requireDirect(
    _ version: MediaVersion, _ capabilities: DecodeCapabilities?, _ viewer: Viewer
  ) throws(Refusal) {
    guard let capabilities else { return }
    func fits(_ value: String?, _ lists: [String]?...) -> Bool {
      let known = lists.compactMap { $0 }.flatMap { $0 }
      guard let value, !known.isEmpty else { return true }
      return known.contains { $0.lowercased() == value.lowercased() }
    }
    guard fits(version.videoCodec, capabilities.videoCodecs) else {
      throw noTranscode(viewer.caller.account.name)
    }
    let isDirect =
      fits(version.container, capabilities.containers)
      && fits(version.audioCodec, capabilities.audioCodecs, capabilities.passthroughCodecs)
    guard isDirect else {
      throw Refusal(501, .formatUnavailable, "The device needs another form, which is not prepared")
    }
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

  private func season(
    _ request: CreateRequest, _ quality: Quality, _ viewer: Viewer
  ) async throws -> Outcome {
    guard let series = try await shelf.item(request.contentID) else { throw Refusal.notFound }
    guard series.type == .series else {
      throw Refusal(500, .internalError, "This is no series")
    }
    var wishes: [DownloadRegistry.Wish] = []
    var skipped: [DownloadBatch.Skipped] = []
    for episode in try await shelf.episodes(of: request.contentID, season: request.seasonNumber) {
      if let file = try await bestFile(of: episode, viewer) {
        wishes.append(DownloadRegistry.Wish(file: file, quality: quality))
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
