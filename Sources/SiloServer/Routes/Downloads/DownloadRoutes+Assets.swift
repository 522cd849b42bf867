import SiloContract

/// What a device keeps beside the media: manifests, artwork, subtitles.
extension DownloadRoutes {
  var assets: [Route] {
    [
      Route("/api/v1/downloads/:id/manifest") { request, words in
        let (row, viewer) = try await managedRow(request, words)
        guard let manifest = try await manifests.manifest(of: row, viewer) else {
          throw Refusal.notFound
        }
        return try .json(manifest)
      },
      Route("/api/v1/downloads/batches/:batch/manifests") { request, words in
        try .json(await batch(request, words))
      },
      Route("/api/v1/downloads/:id/artwork/:kind") { request, words in
        let (row, viewer) = try await managedRow(request, words)
        guard let kind = words["kind"]?.first.flatMap(ArtworkKind.init(rawValue:)) else {
          throw Refusal.notFound
        }
        _ = try await file(of: row, viewer)
        let own = try await row.episodeID.asyncFlatMap { try await shelf.openArtwork(kind, of: $0) }
        let series = try await own == nil ? shelf.openArtwork(kind, of: row.contentID) : nil
        guard let asset = own ?? series else { throw Refusal.notFound }
        return ServedContent.answer(
          request, with: asset.file, type: MediaType.of(asset.name),
          headers: [HeaderField("Cache-Control", "private, max-age=31536000, immutable")])
      },
      Route("/api/v1/downloads/:id/subtitles/:ref") { request, words in
        let (row, viewer) = try await managedRow(request, words)
        guard let reference = words["ref"]?.first.flatMap({ SubtitleReference($0) }) else {
          throw Refusal(400, .invalidSubtitleReference, "There are no such subtitles")
        }
        let file = try await file(of: row, viewer)
        // Nothing is fetched from elsewhere, so there are only those beside the media.
        guard case .external(let index) = reference, file.subtitles.indices.contains(index),
          let asset = try await shelf.openSubtitle(index, of: file.version.fileID)
        else { throw Refusal.notFound }
        return ServedContent.answer(
          request, with: asset.file, type: MediaType.of(asset.name),
          headers: [HeaderField("Cache-Control", "private, no-cache")])
      },
    ]
  }

  /// The row of a device that a request names.
  private func managedRow(
    _ request: ServerRequest, _ words: Route.Words
  ) async throws -> (DownloadRow, Viewer) {
    let viewer = try await gate.viewer(request)
    let scope = try DownloadScope.managed(viewer)
    try requireServing(viewer)
    guard let id = Self.id(words), let row = try await registry.row(id, scope) else {
      throw Refusal.notFound
    }
    guard row.status != .revoked else { throw Self.inactive }
    return (row, viewer)
  }

  /// The file of a row, when the profile may see it: access is looked at again for everything.
  private func file(of row: DownloadRow, _ viewer: Viewer) async throws -> ShelfFile {
    guard let item = try await shelf.item(row.episodeID ?? row.contentID),
      let file = try await manifests.file(of: row, item, viewer)
    else { throw Refusal.notFound }
    return file
  }

  private func batch(_ request: ServerRequest, _ words: Route.Words) async throws -> BatchManifests
  {
    let viewer = try await gate.viewer(request)
    let scope = try DownloadScope.managed(viewer)
    try requireServing(viewer)
    guard let id = words["batch"]?.first.flatMap({ BatchID($0) }) else { throw Refusal.notFound }
    let rows = try await registry.batch(id, scope)
    guard !rows.isEmpty else { throw Refusal.notFound }
    var (found, skipped): ([OfflineManifest], [BatchManifests.Skipped]) = ([], [])
    for row in rows {
      guard row.status != .revoked else {
        skipped.append(BatchManifests.Skipped(downloadID: row.id, reason: .revoked))
        continue
      }
      do {
        if let manifest = try await manifests.manifest(of: row, viewer) {
          found.append(manifest)
        } else {
          skipped.append(BatchManifests.Skipped(downloadID: row.id, reason: .notFound))
        }
      } catch {
        // One that cannot be made must not cost the others.
        skipped.append(BatchManifests.Skipped(downloadID: row.id, reason: .error))
      }
    }
    return BatchManifests(manifests: found, skipped: skipped)
  }
}

extension Optional where Wrapped: Sendable {
  /// What `body` makes of the value.
  fileprivate func asyncFlatMap<Result>(
    _ body: (Wrapped) async throws -> Result?
  ) async rethrows -> Result? {
    switch self {
    case .some(let value): try await body(value)
    case .none: nil
    }
  }
}
