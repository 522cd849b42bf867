/// The variables of one playlist (EXT-X-DEFINE, rfc8216bis 4.3 and 4.4.2.3).
struct PlaylistVariables {
  /// The longest text that a substitution may make.
  private static let longest = 1 << 16

  private(set) var values: [String: String] = [:]
  /// What the multivariant playlist hands to its media playlists.
  private let imports: [String: String]
  private let address: PlaylistAddress

  /// No variables yet; `imports` are those of the multivariant playlist.
  init(imports: [String: String], address: PlaylistAddress) {
    self.imports = imports
    self.address = address
  }

  /// Takes one EXT-X-DEFINE; the thrown text says what is wrong with it.
  mutating func define(_ list: AttributeList, mayImport: Bool) throws(PlaylistFlaw) {
    if let name = list.text("NAME") {
      guard let value = list["VALUE"] else { throw PlaylistFlaw("defines a name without a VALUE") }
      try set(name, value)
    } else if let name = list.text("IMPORT") {
      guard mayImport else {
        throw PlaylistFlaw("imports a variable, which only a media playlist may")
      }
      guard let value = imports[name] else {
        throw PlaylistFlaw(
          "imports “\(shown(name))”, which the multivariant playlist does not define")
      }
      try set(name, value)
    } else if let name = list.text("QUERYPARAM") {
      guard let value = address.queryParameter(name) else {
        throw PlaylistFlaw(
          "wants the query parameter “\(shown(name))”, which the playlist's URL lacks")
      }
      try set(name, value)
    } else {
      throw PlaylistFlaw("defines nothing: NAME, IMPORT and QUERYPARAM are missing")
    }
  }

  /// `text` with every `{$name}` replaced, once; an undefined name is an error.
  func substituted(_ text: String) throws(PlaylistFlaw) -> String {
    guard text.utf8.contains(0x7B) else { return text }
    var out = ""
    var rest = Substring(text)
    while let open = rest.firstRange(of: "{$") {
      out += rest[..<open.lowerBound]
      rest = rest[open.upperBound...]
      guard let close = rest.firstIndex(of: "}") else {
        out += "{$"
        break
      }
      let name = String(rest[..<close])
      guard let value = values[name] else {
        throw PlaylistFlaw("uses the variable “\(shown(name))”, which is not defined before it")
      }
      out += value
      rest = rest[rest.index(after: close)...]
      guard out.utf8.count <= Self.longest else {
        throw PlaylistFlaw("grows too long by its variables")
      }
    }
    return out + rest
  }

  private mutating func set(_ name: String, _ value: String) throws(PlaylistFlaw) {
    guard values.count < 10_000 else { throw PlaylistFlaw("is one variable too many") }
    guard values.updateValue(value, forKey: name) == nil else {
      throw PlaylistFlaw("defines “\(shown(name))” a second time")
    }
  }

  private func shown(_ name: String) -> String { PlaylistText.quoted(name.utf8) }
}

/// What is wrong with one line, worded so that the line's name may stand before it.
struct PlaylistFlaw: Error {
  var reason: String

  init(_ reason: String) { self.reason = reason }
}
