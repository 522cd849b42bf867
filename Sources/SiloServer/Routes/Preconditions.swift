/// What the conditions of a request say about the version that there is (RFC 9110, section 13).
enum Preconditions: Hashable, Sendable {
  /// Answer; `honoursRange` is false when If-Range names another version.
  case answer(honoursRange: Bool)
  /// The client has this version.
  case notModified
  /// The client wants another version.
  case failed

  /// Weighs the fields of `request` in the order of the specification.
  init(_ request: ServerRequest, entityTag: String, modified: Int64) {
    self = .answer(honoursRange: Self.rangeHolds(request, entityTag, modified))
    if let wanted = request["If-Match"] {
      guard Self.list(wanted, holds: entityTag, weakly: false) else {
        self = .failed
        return
      }
    } else if let date = request["If-Unmodified-Since"].flatMap(HTTPDate.seconds),
      modified > date
    {
      self = .failed
      return
    }
    if let known = request["If-None-Match"] {
      if Self.list(known, holds: entityTag, weakly: true) { self = .notModified }
    } else if let date = request["If-Modified-Since"].flatMap(HTTPDate.seconds),
      modified <= date
    {
      self = .notModified
    }
  }

  private static func rangeHolds(
    _ request: ServerRequest, _ entityTag: String, _ modified: Int64
  ) -> Bool {
    guard let validator = request["If-Range"] else { return true }
    // A weak tag never equals a strong one, and a date must be the very date.
    return validator.contains("\"")
      ? validator == entityTag : HTTPDate.seconds(validator) == modified
  }

  private static func list(_ text: String, holds tag: String, weakly: Bool) -> Bool {
    text.split(separator: ",").contains { item in
      let item = item.trimmed
      return item == "*" || item == tag
        || weakly && item.hasPrefix("W/") && item.dropFirst(2) == tag
    }
  }
}
