/// The attributes of one tag (RFC 8216, 4.2), read with quotes respected and each attribute on its own.
///
/// One attribute that breaks the grammar costs only itself; `flaws` says which.
struct AttributeList {
  /// One attribute.
  struct Attribute {
    var name: String
    var value: String
    var isQuoted: Bool
  }

  private static let limit = 256
  private static let (comma, equals, quote) = (UInt8(0x2C), UInt8(0x3D), UInt8(0x22))

  private(set) var attributes: [Attribute] = []
  /// What had to be skipped or guessed.
  private(set) var flaws: [String] = []

  /// Reads what follows the tag's colon.
  init(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    while !rest.isEmpty {
      guard attributes.count < Self.limit else {
        flaws.append("more than \(Self.limit) attributes; the rest is left out")
        return
      }
      readOne(&rest)
    }
  }

  private mutating func readOne(_ rest: inout ArraySlice<UInt8>) {
    let stop = rest.firstIndex { $0 == Self.equals || $0 == Self.comma } ?? rest.endIndex
    let name = rest[rest.startIndex..<stop].trimmed
    guard stop < rest.endIndex, rest[stop] == Self.equals else {
      if !name.isEmpty { flaws.append("attribute without a value: \(PlaylistText.quoted(name))") }
      rest = rest[stop...].dropFirst()
      return
    }
    let after = rest[(stop + 1)...].drop { $0 == 0x20 || $0 == 0x09 }
    let isQuoted = after.first == Self.quote
    var value: ArraySlice<UInt8>
    if isQuoted {
      let inside = after.dropFirst()
      let close = inside.firstIndex(of: Self.quote) ?? inside.endIndex
      if close == inside.endIndex { flaws.append("quote that is never closed") }
      value = inside[inside.startIndex..<close]
      let tail = inside[close...].dropFirst()
      let next = tail.firstIndex(of: Self.comma) ?? tail.endIndex
      if !tail[tail.startIndex..<next].trimmed.isEmpty {
        flaws.append("text after a closing quote")
      }
      rest = tail[next...].dropFirst()
    } else {
      let next = after.firstIndex(of: Self.comma) ?? after.endIndex
      value = after[after.startIndex..<next].trimmed
      rest = after[next...].dropFirst()
    }
    let key = String(decoding: name, as: UTF8.self)
    if attributes.contains(where: { $0.name == key }) {
      flaws.append("attribute given twice, the first is used: \(PlaylistText.quoted(name))")
      return
    }
    attributes.append(
      Attribute(name: key, value: String(decoding: value, as: UTF8.self), isQuoted: isQuoted))
  }

  /// The value as text, quotes removed; `nil` when absent.
  subscript(name: String) -> String? { attributes.first { $0.name == name }?.value }

  /// The value as text unless it is empty.
  func text(_ name: String) -> String? { self[name].flatMap { $0.isEmpty ? nil : $0 } }

  /// Whether the value is YES.
  func isYes(_ name: String) -> Bool { self[name] == "YES" }

  /// The value as a decimal integer.
  func integer(_ name: String) -> Int? {
    self[name].flatMap { PlaylistNumber.integer(Array($0.utf8)[...]) }.flatMap { Int(exactly: $0) }
  }

  /// The value as seconds.
  func duration(_ name: String) -> Duration? {
    self[name].flatMap { PlaylistNumber.duration(Array($0.utf8)[...]) }?.0
  }

  /// The value as a list of texts between `separator`, trimmed.
  func list(_ name: String, separator: Character = ",") -> [String] {
    (self[name] ?? "").split(separator: separator)
      .map { String(decoding: Array($0.utf8)[...].trimmed, as: UTF8.self) }
      .filter { !$0.isEmpty }
  }

  /// Replaces the variables in every value (rfc8216bis 4.3).
  mutating func substitute(_ variables: PlaylistVariables) throws(PlaylistFlaw) {
    for index in attributes.indices where attributes[index].value.utf8.contains(0x7B) {
      attributes[index].value = try variables.substituted(attributes[index].value)
    }
  }
}

extension ArraySlice<UInt8> {
  /// Without blanks and tabs at both ends.
  var trimmed: ArraySlice<UInt8> {
    var (low, high) = (startIndex, endIndex)
    while low < high, self[low] == 0x20 || self[low] == 0x09 { low += 1 }
    while high > low, self[high - 1] == 0x20 || self[high - 1] == 0x09 { high -= 1 }
    return self[low..<high]
  }
}
