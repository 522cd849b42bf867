import SiloContract
import SiloMedia
import SiloStore

/// One kind of address and how it is answered.
struct Route: Sendable {
  /// What the words of the pattern stand for in this request.
  typealias Words = [String: [String]]

  /// The method; `GET` stands for `HEAD`, too, and `*` for every one.
  let method: String
  let pattern: PathPattern
  let answer: @Sendable (ServerRequest, Words) async throws -> ServerResponse

  init(
    _ method: String, _ pattern: String,
    answer: @escaping @Sendable (ServerRequest, Words) async throws -> ServerResponse
  ) {
    self.method = method
    self.pattern = PathPattern(pattern)
    self.answer = answer
  }

  /// A route for `GET` and `HEAD`.
  init(
    _ pattern: String,
    answer: @escaping @Sendable (ServerRequest, Words) async throws -> ServerResponse
  ) {
    self.init("GET", pattern, answer: answer)
  }

  /// Whether a request of `method` is this route's.
  func takes(_ method: String) -> Bool {
    self.method == method || self.method == "*" || self.method == "GET" && method == "HEAD"
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
    var allowed: [String] = []
    for route in routes {
      guard let words = route.pattern.match(path) else { continue }
      guard route.takes(request.method) else {
        if !allowed.contains(route.method) { allowed.append(route.method) }
        continue
      }
      // What the last resort would answer is nothing to an address that has other methods.
      if !allowed.isEmpty, route.pattern.isLastResort { break }
      do {
        return try await route.answer(request, words)
      } catch {
        return Self.refusal(for: error)
      }
    }
    return allowed.isEmpty ? .notFound() : .wrongMethod(allowed: allowed)
  }

  private static func refusal(for error: any Error) -> ServerResponse {
    if let refusal = error as? Refusal { return refusal.response }
    if error is ContractError {
      return Refusal.badRequest("The body of this request cannot be read").response
    }
    if let error = error as? StoreError {
      let message =
        switch error.code {
        case .full: "The disk of the server is full."
        case .inputOutput, .readOnly, .cannotOpen:
          "The database of the server cannot be read or written."
        default: "The server could not answer this request."
        }
      return .failure(500, "internal_error", message)
    }
    guard let error = error as? MediaError else {
      return .failure(500, "internal_error", "The server could not answer this request.")
    }
    return switch error.code {
    case .notFound: .notFound(error.message)
    case .unsupported, .encrypted, .corrupt:
      .failure(422, error.code.description, error.message)
    default: .failure(500, error.code.description, error.message)
    }
  }
}
