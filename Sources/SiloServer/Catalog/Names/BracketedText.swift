/// A name without what stands in square and curly brackets, and what stood there.
struct BracketedText: Sendable {
  /// The name without brackets; a year in square brackets stands in round ones.
  private(set) var text = ""
  /// The ids of `[tmdbid-603]` and `{imdb-tt0133093}`.
  private(set) var ids = ProviderIDs()
  /// The name of `{edition-Director's Cut}`.
  private(set) var edition: String?
  /// What else stood in brackets: `1080p`, a group's name.
  private(set) var tags: [String] = []

  /// Reads a name without its extension.
  init(_ name: String) {
    var rest = name[...]
    while let open = rest.firstIndex(where: { $0 == "[" || $0 == "{" }) {
      let closing: Character = rest[open] == "[" ? "]" : "}"
      guard let close = rest[open...].firstIndex(of: closing) else { break }
      text += rest[..<open]
      take(String(rest[rest.index(after: open)..<close]))
      rest = rest[rest.index(after: close)...]
    }
    text += rest
  }

  private mutating func take(_ tag: String) {
    if ids.read(tag: tag) {
      text += " "
    } else if tag.lowercased().hasPrefix("edition-") {
      let name = tag.dropFirst("edition-".count).filter { !$0.isNewline }
      edition = name.isEmpty ? edition : String(name)
      text += " "
    } else if tag.utf8.count == 4, let year = Int(tag), MediaName.years.contains(year) {
      text += " (\(tag)) "
    } else {
      if !tag.isEmpty { tags.append(tag) }
      text += " "
    }
  }
}
