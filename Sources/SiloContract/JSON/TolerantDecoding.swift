/// How every value of the contract is read: what may be absent may also be null, empty, or of a type that this program
/// does not know, and is `nil` then. Only what is not optional is an error, which names its key.
///
/// These overloads are nearer than those of the standard library, so the compiler's own `init(from:)` of every type in
/// this module takes them. A type that must be strict reads with `exactly(_:forKey:)`.
extension KeyedDecodingContainer {
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    // Old servers send "" where newer ones leave the key out.
    (try? decode(type, forKey: key)).flatMap { $0.isEmpty ? nil : $0 }
  }

  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try? decode(type, forKey: key)
  }

  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    try? decode(type, forKey: key)
  }

  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
    try? decode(type, forKey: key)
  }

  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    try? decode(type, forKey: key)
  }

  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    try? decode(type, forKey: key)
  }

  func decodeIfPresent<Element: Decodable>(
    _ type: [Element].Type, forKey key: Key
  ) throws -> [Element]? {
    (try? decode(ReadableElements<Element>.self, forKey: key))?.elements
  }

  /// A list that is always sent: empty when it is absent or null, without the elements that cannot be read.
  func decode<Element: Decodable>(_ type: [Element].Type, forKey key: Key) throws -> [Element] {
    guard contains(key), try !decodeNil(forKey: key) else { return [] }
    return try decode(ReadableElements<Element>.self, forKey: key).elements
  }

  /// A value that may be absent or null, and is an error when it is of another type: for requests.
  func exactly<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    guard contains(key), try !decodeNil(forKey: key) else { return nil }
    return try decode(type, forKey: key)
  }
}

/// The elements of a list that could be read, and how many could not.
struct ReadableElements<Element: Decodable>: Decodable {
  var elements: [Element] = []
  var unreadableCount = 0

  private struct Anything: Decodable { init(from decoder: any Decoder) {} }

  init(from decoder: any Decoder) throws {
    var list = try decoder.unkeyedContainer()
    while !list.isAtEnd {
      if let element = try? list.decode(Element.self) {
        elements.append(element)
      } else {
        // An element that failed is still the next one.
        _ = try list.decode(Anything.self)
        unreadableCount += 1
      }
    }
  }
}
