/// What a Range field asks for, against the length of what there is (RFC 9110, section 14).
enum ByteRange: Hashable, Sendable {
  /// Everything: there is no field, it is not understood, or it asks for several ranges.
  case whole
  /// These bytes.
  case part(Range<Int64>)
  /// Nothing that exists.
  case unsatisfiable

  /// Reads the field `text`, as sent.
  init(_ text: String?, byteCount: Int64) {
    self = text.flatMap { Self.single($0, byteCount) } ?? .whole
  }

  private static func single(_ text: String, _ byteCount: Int64) -> ByteRange? {
    let halves = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard halves.count == 2, halves[0].trimmed.lowercased() == "bytes" else { return nil }
    let bounds = halves[1].trimmed.split(separator: "-", omittingEmptySubsequences: false)
    guard bounds.count == 2 else { return nil }
    let (first, last) = (bounds[0].trimmed, bounds[1].trimmed)
    guard first.allSatisfy(\.isASCIIDigit), last.allSatisfy(\.isASCIIDigit) else { return nil }
    if first.isEmpty {
      guard !last.isEmpty else { return nil }
      let count = min(Int64(last) ?? .max, byteCount)
      return count == 0 ? .unsatisfiable : .part(byteCount - count..<byteCount)
    }
    // A number too large for 64 bits is beyond every file.
    let start = Int64(first) ?? .max
    let end = last.isEmpty ? Int64.max : Int64(last) ?? .max
    guard start <= end else { return nil }
    guard start < byteCount else { return .unsatisfiable }
    return .part(start..<min(end, byteCount - 1) + 1)
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { isASCII && isWholeNumber }
}

extension Substring {
  /// Without the blanks around it.
  var trimmed: Substring {
    var text = drop { $0 == " " || $0 == "\t" }
    while text.last == " " || text.last == "\t" { text.removeLast() }
    return text
  }
}
