/// What the public databases of films and series call an item.
struct ProviderIDs: Hashable, Sendable, Codable {
  /// Internet Movie Database: `tt1234567`.
  var imdb: String?
  /// The Movie Database: digits.
  var tmdb: String?
  /// TheTVDB: digits.
  var tvdb: String?

  /// Nothing is known.
  init() {}

  /// Notes the id that `provider` gives; false when the provider is unknown or the id has not its form.
  @discardableResult
  mutating func set(_ id: String, of provider: String) -> Bool {
    let id = id.filter { !$0.isWhitespace }.lowercased()
    let isNumber = !id.isEmpty && id.utf8.count <= 12 && id.utf8.allSatisfy(Self.isDigit)
    switch provider.lowercased() {
    case "imdb", "imdbid":
      guard id.hasPrefix("tt"), (3...14).contains(id.utf8.count),
        id.utf8.dropFirst(2).allSatisfy(Self.isDigit)
      else { return false }
      imdb = id
    case "tmdb", "tmdbid", "themoviedb":
      guard isNumber else { return false }
      tmdb = id
    case "tvdb", "tvdbid", "thetvdb":
      guard isNumber else { return false }
      tvdb = id
    default: return false
    }
    return true
  }

  /// Notes what stands in brackets of a name: `tmdbid-603`, `imdb=tt0133093`; false when it is no id.
  mutating func read(tag: String) -> Bool {
    let halves = tag.split(maxSplits: 1, omittingEmptySubsequences: false) {
      $0 == "-" || $0 == "=" || $0 == ":"
    }
    guard halves.count == 2 else { return false }
    return set(String(halves[1]), of: String(halves[0]))
  }

  /// These ids, and those of `other` where nothing is known here.
  func merging(_ other: ProviderIDs) -> ProviderIDs {
    var merged = self
    merged.imdb = imdb ?? other.imdb
    merged.tmdb = tmdb ?? other.tmdb
    merged.tvdb = tvdb ?? other.tvdb
    return merged
  }

  /// The ids by the provider's short name.
  var byProvider: [String: String] {
    ["imdb": imdb, "tmdb": tmdb, "tvdb": tvdb].compactMapValues { $0 }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }
}
