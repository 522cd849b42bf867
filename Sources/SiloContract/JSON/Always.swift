/// A value that servers always send, as "" or 0 when they do not know it: `nil` here.
@propertyWrapper
package struct Always<Value: SentWhenUnknown>: Hashable, Sendable, Codable {
  /// The value; `nil` when it is not known.
  package var wrappedValue: Value?

  /// A value, or none.
  package init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

  package init(from decoder: any Decoder) throws {
    let value = try? decoder.singleValueContainer().decode(Value.self)
    wrappedValue = value == Value.unknown ? nil : value
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue ?? Value.unknown)
  }
}

/// A type with a form that stands for "not known" on the wire.
package protocol SentWhenUnknown: Codable, Hashable, Sendable {
  /// What is sent.
  static var unknown: Self { get }
}

extension String: SentWhenUnknown {
  package static var unknown: String { "" }
}

extension Int: SentWhenUnknown {
  package static var unknown: Int { 0 }
}

extension Int64: SentWhenUnknown {
  package static var unknown: Int64 { 0 }
}

extension Double: SentWhenUnknown {
  package static var unknown: Double { 0 }
}

extension KeyedDecodingContainer {
  func decode<Value>(_ type: Always<Value>.Type, forKey key: Key) throws -> Always<Value> {
    // Absent is not known, too.
    (try? decodeIfPresent(type, forKey: key)) ?? Always(wrappedValue: nil)
  }
}
