import SiloContract
import SiloMedia

/// What there is to download.
extension Catalog: MediaShelf {
  func item(_ id: String) async throws -> ItemDetail? { try await detail(id) }

  func episodes(of series: String, season: Int?) async throws -> [ItemDetail] {
    try await episodeDetails(of: series, season: season)
  }

  func file(_ id: MediaFileID) async throws -> ShelfFile? {
    let contents = contents
    guard let file = contents.files[id.number], let owner = contents.owner(of: file) else {
      return nil
    }
    let inventory = try await inventories(of: [file])[file.id]
    return ShelfFile(
      version: MediaVersion(file, inventory),
      contentID: owner.series?.contentID ?? owner.item.contentID,
      episodeID: owner.series == nil ? nil : owner.item.contentID,
      modifiedNanoseconds: file.modified, hash: file.openSubtitlesHash,
      subtitles: file.subtitles.map { sidecar in
        ShelfSubtitle(
          language: sidecar.name.language?.description, format: sidecar.format,
          isForced: sidecar.name.isForced, isHearingImpaired: sidecar.name.isHearingImpaired,
          byteCount: sidecar.byteCount)
      })
  }

  func lookAgain(at files: [MediaFileID]) async throws -> Bool {
    let contents = contents
    let isStale = files.compactMap { contents.files[$0.number] }.contains { file in
      guard let now = open(file.path)?.identity else { return true }
      return now.byteCount != file.byteCount || now.modifiedNanoseconds != file.modified
    }
    guard isStale else { return false }
    // A disk that is away has lost nothing: what was known stays known.
    try? await rescan()
    return true
  }

  func open(_ id: MediaFileID) async throws -> OpenAsset? {
    guard let file = contents.files[id.number] else { return nil }
    return asset(file.path)
  }

  func openSubtitle(_ index: Int, of id: MediaFileID) async throws -> OpenAsset? {
    guard let file = contents.files[id.number], file.subtitles.indices.contains(index) else {
      return nil
    }
    return asset(file.subtitles[index].path)
  }

  func openArtwork(_ kind: ArtworkKind, of item: String) async throws -> OpenAsset? {
    ownArtwork(of: item)[kind].flatMap { asset($0) }
  }

  func artworkKinds(of item: String) async throws -> Set<ArtworkKind> {
    Set(ownArtwork(of: item).keys)
  }

  /// The pictures of an item itself; an episode has those of its season, too.
  private func ownArtwork(of id: String) -> [ArtworkKind: String] {
    let contents = contents
    var paths: [ArtworkName.Kind: String] = [:]
    if let item = contents.item(id) {
      paths = item.artwork
      if let series = item.seriesID, let place = item.place {
        let season = contents.season(place.season, of: series)
        paths.merge(season?.artwork ?? [:]) { own, _ in own }
      }
    } else if let season = contents.season(id) {
      paths = season.artwork
    }
    var found: [ArtworkKind: String] = [:]
    for (kind, path) in paths { found[ArtworkKind(kind)] = path }
    return found
  }

  private func asset(_ path: String) -> OpenAsset? {
    open(path).map { OpenAsset(file: $0, name: CatalogPlanner.parts(of: path).name) }
  }
}

extension ArtworkKind {
  fileprivate init(_ kind: ArtworkName.Kind) {
    self =
      switch kind {
      case .poster: .poster
      case .backdrop: .backdrop
      case .logo: .logo
      }
  }
}
