import SiloContract

/// The addresses of the catalog: search, items, versions, seasons, episodes, pictures.
struct CatalogRoutes: Sendable {
  let catalog: Catalog
  let gate: Gate

  /// The rows of the route table.
  var routes: [Route] {
    [
      Route("/api/v1/catalog") { request, _ in
        _ = try await gate.viewer(request)
        return try .json(catalog.page(CatalogSearch(request)))
      },
      Route("/api/v1/catalog/items/:id") { request, words in
        try .json(await item(request, words))
      },
      Route("/api/v1/catalog/items/:id/versions") { request, words in
        try .json(await item(request, words).versions)
      },
      Route("/api/v1/catalog/items/:id/artwork/:kind") { request, words in
        try await artwork(request, words)
      },
      Route("/api/v1/catalog/series/:id/seasons") { request, words in
        _ = try await gate.viewer(request)
        return try .json(Self.found(catalog.seasons(of: Self.word("id", words))))
      },
      Route("/api/v1/catalog/series/:id/seasons/:number") { request, words in
        _ = try await gate.viewer(request)
        let series = Self.word("id", words)
        return try .json(Self.found(catalog.season(try Self.number(words), of: series)))
      },
      Route("/api/v1/catalog/series/:id/seasons/:number/episodes") { request, words in
        _ = try await gate.viewer(request)
        let series = Self.word("id", words)
        return try .json(Self.found(catalog.episodes(try Self.number(words), of: series)))
      },
    ]
  }

  /// The item that a request names, with the versions that the profile may see.
  private func item(_ request: ServerRequest, _ words: Route.Words) async throws -> ItemDetail {
    let viewer = try await gate.viewer(request)
    var item = try Self.found(await catalog.detail(Self.word("id", words)))
    item.versions = item.versions.filter { viewer.maySee($0) }
    return item
  }

  private func artwork(
    _ request: ServerRequest, _ words: Route.Words
  ) async throws -> ServerResponse {
    _ = try await gate.viewer(request)
    let kind = try Self.found(ArtworkName.Kind(rawValue: Self.word("kind", words)))
    let path = try Self.found(catalog.artworkPath(kind, of: Self.word("id", words)))
    let file = try Self.found(catalog.open(path))
    return ServedContent.answer(
      request, with: file, type: MediaType.of(path),
      headers: [HeaderField("Cache-Control", "private, no-cache")])
  }

  private static func found<Value>(_ value: Value?) throws(Refusal) -> Value {
    guard let value else { throw Refusal.notFound }
    return value
  }

  private static func word(_ name: String, _ words: Route.Words) -> String {
    words[name]?.first ?? ""
  }

  private static func number(_ words: Route.Words) throws(Refusal) -> Int {
    guard let number = words["number"]?.first.flatMap({ Int($0) }) else {
      throw .badRequest("This is no number of a season")
    }
    return number
  }
}

extension CatalogSearch {
  /// What the query of a request asks for.
  init(_ request: ServerRequest) {
    self.init()
    func number(_ name: String) -> Int? { request.argument(name).flatMap { Int($0) } }
    text = request.argument("q")
    // A kind that there is none of is passed over, as the others do.
    kind = request.argument("type").flatMap { CatalogItem.Kind(rawValue: $0.lowercased()) }
    genre = request.argument("genre").flatMap { $0.isEmpty ? nil : $0 }
    let (first, last) = (number("year_min"), number("year_max"))
    if first != nil || last != nil {
      years = (first ?? 0)...max(first ?? 0, last ?? 9999)
      if let last, let first, last < first { years = 10_000...10_000 }
    }
    switch request.argument("sort") {
    case "title": order = .title
    case "year", "release_date": order = .year
    default: order = .relevance
    }
    isDescending = request.argument("order")?.lowercased() == "desc"
    if let limit = number("limit"), limit > 0 { self.limit = min(limit, Self.mostItems) }
    if let offset = number("offset"), offset > 0 { self.offset = offset }
  }
}
