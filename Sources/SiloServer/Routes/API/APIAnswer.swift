import SiloContract

extension ServerResponse {
  /// A value of the contract.
  static func json(_ value: some Encodable, status: Int = 200) throws -> ServerResponse {
    .bytes(
      try ContractJSON.encode(value), type: "application/json", status: status,
      headers: [HeaderField("Cache-Control", "no-store")])
  }

  /// Done, and nothing to say.
  static let noContent = ServerResponse(
    status: 204, headers: [HeaderField("Cache-Control", "no-store")])
}

extension ServerRequest {
  /// The body as a value of the contract.
  ///
  /// - Throws: `Refusal`: 400 for one that cannot be read, 413 for one that is too long.
  func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
    guard !isBodyTooLong else {
      throw Refusal(413, .badRequest, "The body of this request is too long")
    }
    do {
      return try ContractJSON.decode(type, from: body)
    } catch {
      throw Refusal.badRequest("The body of this request cannot be read: \(error)")
    }
  }

  /// The first value of a field of the query.
  func argument(_ name: String) -> String? { query.first { $0.name == name }?.value }

  /// The value of a header field; `nil` when there is none or an empty one.
  func text(_ name: String) -> String? {
    self[name].flatMap { $0.isEmpty ? nil : $0 }
  }
}
