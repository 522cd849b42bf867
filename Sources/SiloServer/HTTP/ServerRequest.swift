/// One request as it was read from the wire.
struct ServerRequest: Sendable {
  /// `GET` or `HEAD`.
  var method: String
  /// The path as sent, percent-encoded, without the query.
  var path: String
  /// The header fields in the order of arrival.
  var headers: [HeaderField]

  /// The first value of the field `name`, whatever its case.
  subscript(name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
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
