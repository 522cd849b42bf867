/// One value of a row or a parameter, in SQLite's five storage classes.
package enum StoreValue: Hashable, Sendable {
  /// NULL.
  case null
  /// INTEGER.
  case integer(Int64)
  /// REAL.
  case real(Double)
  /// TEXT, UTF-8.
  case text(String)
  /// BLOB.
  case blob([UInt8])

  /// `integer(value)`, or `null`.
  package init(_ value: Int64?) { self = value.map(StoreValue.integer) ?? .null }
  /// `integer(value)`, or `null`.
  package init(_ value: Int?) { self = value.map { .integer(Int64($0)) } ?? .null }
  /// `real(value)`, or `null`.
  package init(_ value: Double?) { self = value.map(StoreValue.real) ?? .null }
  /// `text(value)`, or `null`.
  package init(_ value: String?) { self = value.map(StoreValue.text) ?? .null }
  /// `blob(value)`, or `null`.
  package init(_ value: [UInt8]?) { self = value.map(StoreValue.blob) ?? .null }
  /// 1 or 0.
  package init(_ value: Bool) { self = .integer(value ? 1 : 0) }
}

extension StoreValue: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
  /// An integer as written.
  package init(integerLiteral value: Int64) { self = .integer(value) }
  /// A text as written.
  package init(stringLiteral value: String) { self = .text(value) }
}
