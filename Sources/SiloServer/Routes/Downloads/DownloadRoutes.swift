import SiloContract

/// The registry of downloads over HTTP (spec, section 4; facts, sections 1 and 2).
struct DownloadRoutes: Sendable {
  let gate: Gate
  let registry: DownloadRegistry
  let shelf: any MediaShelf

  var limits: DownloadLimits { registry.limits }
  var manifests: ManifestWriter { ManifestWriter(shelf: shelf, now: registry.now) }

  /// The rows of the route table.
  var routes: [Route] {
    [
      Route("/api/v1/downloads/capability") { request, _ in
        try .json(capability(of: try await gate.viewer(request)))
      },
      Route("POST", "/api/v1/downloads") { request, _ in
        try .json(await create(request), status: 202)
      },
      Route("/api/v1/downloads") { request, _ in
        let scope = try DownloadScope(try await gate.viewer(request))
        return .bytes(
          DownloadListText.json(try await registry.list(scope)), type: "application/json",
          headers: [HeaderField("Cache-Control", "no-store")])
      },
      Route("PATCH", "/api/v1/downloads/:id") { request, words in
        try await patch(request, words)
      },
      Route("DELETE", "/api/v1/downloads/:id") { request, words in
        let scope = try DownloadScope(try await gate.viewer(request))
        guard let id = Self.id(words), try await registry.remove(id, scope) else {
          throw Refusal.notFound
        }
        return .noContent
      },
    ] + files + assets
  }

  private func capability(of viewer: Viewer) -> Capability {
    let rules = limits.rules(for: viewer.caller.account.name)
    var capability = Capability(
      isEnabled: rules.areEnabled, isAllowed: rules.isAllowed, qualityPresets: rules.presets)
    capability.transcodes = rules.transcodes
    capability.isTranscodingAllowed = rules.isTranscodingAllowed
    capability.offersSeasons = !rules.presets.isEmpty
    return capability
  }

  private func create(_ request: ServerRequest) async throws -> CreateAnswer {
    let viewer = try await gate.viewer(request)
    let wish = try request.decoded(as: CreateRequest.self)
    let outcome = try await DownloadWishes(shelf: shelf, limits: limits).read(wish, viewer)
    let scope = try DownloadScope(viewer)
    switch outcome {
    case .single(let wish):
      guard let row = try await registry.register([wish], scope, isBatch: false).first else {
        throw Refusal.internalError
      }
      return .single(row)
    case .batch(let wishes, let skipped):
      let rows = try await registry.register(wishes, scope, isBatch: true)
      return .batch(DownloadBatch(downloads: rows, skipped: skipped))
    }
  }

  private func patch(_ request: ServerRequest, _ words: Route.Words) async throws -> ServerResponse
  {
    let scope = try DownloadScope.managed(try await gate.viewer(request))
    let status = try request.decoded(as: StatusPatch.self).status
    guard status == .downloading || status == .completed else {
      throw Refusal(400, .invalidStatus, "The status is downloading or completed")
    }
    guard let id = Self.id(words), try await registry.patch(id, status, scope) else {
      throw Refusal.notFound
    }
    return .noContent
  }

  static func id(_ words: Route.Words) -> DownloadID? {
    words["id"]?.first.flatMap { DownloadID($0) }
  }
}
