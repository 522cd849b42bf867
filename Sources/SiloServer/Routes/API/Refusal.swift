import SiloContract

/// Why a request is not answered: thrown by routes, sent as the contract's flat envelope.
struct Refusal: Error, Sendable {
  let status: Int
  let code: ErrorCode
  let message: String
  let headers: [HeaderField]

  init(_ status: Int, _ code: ErrorCode, _ message: String, headers: [HeaderField] = []) {
    self.status = status
    self.code = code
    self.message = message
    self.headers = headers
  }

  /// As it is sent.
  var response: ServerResponse {
    .failure(
      status, code.rawValue, message, headers: headers + [HeaderField("Cache-Control", "no-store")])
  }

  static func badRequest(_ message: String) -> Refusal { Refusal(400, .badRequest, message) }
  static let unauthorized = Refusal(
    401, .unauthorized, "Sign in first", headers: [HeaderField("WWW-Authenticate", "Bearer")])
  static let notFound = Refusal(404, .notFound, "Not found")
  static let internalError = Refusal(
    500, .internalError, "The server could not answer this request")
}
