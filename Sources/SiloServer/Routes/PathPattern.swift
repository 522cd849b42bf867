/// The shape of the addresses of one route: `/hls/*name/audio/:track/:piece`.
///
/// `:word` takes one component, `*word` one or more; a pattern has at most one `*word`.
struct PathPattern: Sendable {
  private enum Part: Hashable, Sendable {
    case literal(String)
    case one(String)
    case many(String)
  }

  private let parts: [Part]

  /// Reads a pattern as it is written in the route table.
  init(_ text: String) {
    parts = text.split(separator: "/").map { part in
      switch part.first {
      case ":": .one(String(part.dropFirst()))
      case "*": .many(String(part.dropFirst()))
      default: .literal(String(part))
      }
    }
  }

  /// Whether it fits nearly every address.
  var isLastResort: Bool {
    if case .many? = parts.first { true } else if case .many? = parts.last { true } else { false }
  }

  /// What the words of the pattern stand for in `path`, or `nil` when it has another shape.
  func match(_ path: RequestPath) -> [String: [String]]? {
    var words: [String: [String]] = [:]
    var rest = path.components[...]
    for (index, part) in parts.enumerated() {
      switch part {
      case .literal(let text):
        guard rest.popFirst() == text else { return nil }
      case .one(let word):
        guard let component = rest.popFirst() else { return nil }
        words[word] = [component]
      case .many(let word):
        let count = rest.count - (parts.count - index - 1)
        guard count > 0 else { return nil }
        words[word] = Array(rest.prefix(count))
        rest = rest.dropFirst(count)
      }
    }
    return rest.isEmpty ? words : nil
  }
}
