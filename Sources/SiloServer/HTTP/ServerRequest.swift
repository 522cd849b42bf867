/// One request as it was read from the wire.
struct ServerRequest: Sendable {
  /// `GET`, `HEAD`, `POST`, `PATCH`, `DELETE`, or whatever else was asked.
  var method: String
  /// The path as sent, percent-encoded, without the query.
  var path: String
  /// The header fields in the order of arrival.
  var headers: [HeaderField]
  /// The fields of the query, decoded, in their order.
  var query: [HeaderField] = []
  /// The body; empty for methods that have none.
  var body: [UInt8] = []
  /// Whether the body was longer than is read.
  var isBodyTooLong = false

  /// The first value of the field `name`, whatever its case.
  subscript(name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  /// Every value of the field `name`, whatever its case.
  func values(_ name: String) -> [String] {
    headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
  }
}

/// One header field.
struct HeaderField: Sendable, Hashable {
  var name: String
  var value: String

  init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}
