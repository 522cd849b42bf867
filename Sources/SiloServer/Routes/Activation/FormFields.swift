/// The fields of an HTML form as a browser sends them (`application/x-www-form-urlencoded`).
struct FormFields: Sendable, Hashable {
  /// The longest value that is read, in bytes.
  static let longest = 1024

  private var values: [String: String] = [:]

  /// Reads a body; `nil` for one that is no form: escapes or bytes that cannot be read, a field that comes twice or is too long.
  init?(_ body: [UInt8]) {
    guard let text = String(validating: body, as: UTF8.self) else { return nil }
    for pair in text.split(separator: "&") {
      let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let words = halves.map { RequestPath.decoded(String($0).replacing("+", with: " ")) }
      guard let name = words.first ?? nil, let value = words.count == 2 ? words[1] : "",
        value.utf8.count <= Self.longest, values[name] == nil
      else { return nil }
      values[name] = value
    }
  }

  /// The value of a field; empty when it was not sent.
  subscript(name: String) -> String { values[name] ?? "" }
}
