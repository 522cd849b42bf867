import SiloMedia

/// One kind of address and how it is answered.
struct Route: Sendable {
  /// What the words of the pattern stand for in this request.
  typealias Words = [String: [String]]

  let pattern: PathPattern
  let answer: @Sendable (ServerRequest, Words) async throws -> ServerResponse

  init(
    _ pattern: String,
    answer: @escaping @Sendable (ServerRequest, Words) async throws -> ServerResponse
  ) {
    self.pattern = PathPattern(pattern)
    self.answer = answer
  }
}

/// Every address that the server answers; the first route that fits counts.
struct RouteTable: Sendable {
  let routes: [Route]

  /// The answer to `request`; what a route throws becomes a refusal.
  func answer(_ request: ServerRequest) async -> ServerResponse {
    guard let path = RequestPath(encoded: request.path) else {
      return .failure(400, "bad_request", "The path of this address cannot be read.")
    }
    for route in routes {
      guard let words = route.pattern.match(path) else { continue }
      do {
        return try await route.answer(request, words)
      } catch {
        return Self.refusal(for: error)
      }
    }
    return .notFound()
  }

  private static func refusal(for error: any Error) -> ServerResponse {
    guard let error = error as? MediaError else {
      return .failure(500, "internal", "The server could not answer this request.")
    }
    return switch error.code {
    case .notFound: .notFound(error.message)
    case .unsupported, .encrypted, .corrupt:
      .failure(422, error.code.description, error.message)
    default: .failure(500, error.code.description, error.message)
    }
  }
}
