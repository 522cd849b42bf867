/// A message of the other side that cannot be understood.
package struct ContractError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong with it.
  package enum Problem: Hashable, Sendable {
    /// It is no JSON.
    case notJSON
    /// A required key is not there, or null.
    case missing
    /// A required value is of another type, or not allowed.
    case wrong
  }

  /// What is wrong.
  package let problem: Problem
  /// The key, with those around it, such as `downloads.2.id`; `nil` for the message as a whole.
  package let key: String?

  /// An error of the given parts.
  package init(_ problem: Problem, key: String?) {
    self.problem = problem
    self.key = key
  }

  init(_ error: DecodingError) {
    switch error {
    case .keyNotFound(let key, let context):
      self.init(.missing, key: Self.text(context.codingPath + [key]))
    case .valueNotFound(_, let context):
      self.init(.missing, key: Self.text(context.codingPath))
    case .typeMismatch(_, let context):
      self.init(.wrong, key: Self.text(context.codingPath))
    case .dataCorrupted(let context):
      let key = Self.text(context.codingPath)
      self.init(key == nil ? .notJSON : .wrong, key: key)
    @unknown default: self.init(.notJSON, key: nil)
    }
  }

  /// Keys come from outside only where a dictionary of theirs is read: bounded like everything else in a message.
  private static func text(_ path: [any CodingKey]) -> String? {
    guard !path.isEmpty else { return nil }
    let words = path.map { $0.intValue.map(String.init) ?? String($0.stringValue.prefix(64)) }
    return words.joined(separator: ".")
  }

  /// A sentence that names the key.
  package var description: String {
    switch (problem, key) {
    case (.missing, let key?): "The answer lacks '\(key)'."
    case (.wrong, let key?): "The answer's '\(key)' is not what it should be."
    case (.missing, nil): "The answer is empty."
    case (.wrong, nil): "The answer has another form than it should."
    case (.notJSON, _): "The answer is no JSON."
    }
  }
}
