import SiloContract

/// The bytes of downloads.
extension DownloadRoutes {
  var files: [Route] {
    [
      Route("/api/v1/downloads/:id/file") { request, words in
        let viewer = try await gate.viewer(request)
        let scope = try DownloadScope(viewer)
        try requireServing(viewer)
        guard let id = Self.id(words), let row = try await registry.row(id, scope) else {
          throw Refusal.notFound
        }
        return try await file(of: row, viewer, scope, request)
      },
      Route("/api/v1/direct-download") { request, _ in
        let viewer = try await gate.viewer(request)
        guard let number = request.argument("file_id").flatMap({ Int64($0) }), number > 0 else {
          throw Refusal.badRequest("file_id is required")
        }
        guard ["", "original"].contains(request.argument("format") ?? "") else {
          throw Refusal(501, .formatUnavailable, "Only the original can be had here")
        }
        guard limits.areEnabled else {
          throw Refusal(403, .featureDisabled, "Downloads are disabled")
        }
        try requireServing(viewer)
        guard let file = try await shelf.file(MediaFileID(number)) else { throw Refusal.notFound }
        guard viewer.maySee(file.version) else {
          throw Refusal(403, .forbidden, "This profile may not have this quality")
        }
        guard let asset = try await shelf.open(MediaFileID(number)) else { throw Refusal.notFound }
        return Self.answer(request, with: asset).sent(to: viewer)
      },
    ]
  }

  /// That files and what belongs to them are served to this account at all.
  func requireServing(_ viewer: Viewer) throws(Refusal) {
    guard limits.areEnabled, limits.mayDownload(viewer.caller.account.name) else {
      throw Refusal(403, .forbidden, "This account may not download")
    }
  }

  private func file(
    of row: DownloadRow, _ viewer: Viewer, _ scope: DownloadScope, _ request: ServerRequest
  ) async throws -> ServerResponse {
    guard let id = row.mediaFileID, let file = try await shelf.file(id), viewer.maySee(file.version)
    else { throw Refusal.notFound }
    if scope.isManaged {
      // What a device did not say does not matter: only a row that cannot be served is refused.
      guard [.ready, .downloading, .completed].contains(row.status) else { throw Self.inactive }
      guard let asset = try await shelf.open(id) else { throw Refusal.notFound }
      return Self.answer(request, with: asset).sent(to: viewer)
    }
    guard let asset = try await shelf.open(id) else { throw Refusal.notFound }
    // Served once as a whole, then as often as wished: the first request takes the row.
    if row.status != .completed {
      guard try await registry.move(row.id, from: [.queued], to: .downloading) else {
        throw Self.inactive
      }
    }
    var response = Self.answer(request, with: asset).sent(to: viewer)
    if row.status != .completed {
      let registry = registry
      response.onEnd = { wasSent in
        Task {
          _ = try? await registry.move(
            row.id, from: [.downloading], to: wasSent ? .completed : .failed)
        }
      }
    }
    return response
  }

  static let inactive = Refusal(409, .downloadInactive, "This download is not active")

  private static func answer(_ request: ServerRequest, with asset: OpenAsset) -> ServerResponse {
    ServedContent.answer(
      request, with: asset.file, type: MediaType.of(asset.name),
      headers: [HeaderField("Content-Disposition", FileDisposition.attachment(asset.name))])
  }
}
