/// What a folder is for, told by its name.
enum FolderRole: Hashable, Sendable {
  /// A season of the series above it; 0 is that of the specials. A title when the name has one: `Dark S01`.
  case season(Int, series: String?)
  /// Trailers, scenes and the like of the film or series above it.
  case extras
  /// Subtitles of the media above it.
  case subtitles
  /// A shelf: `Movies`, `TV Shows`. It is the title of nothing.
  case shelf
  /// Nothing of interest: what systems and servers keep there.
  case ignored
  /// A film, a series, or just a folder.
  case plain

  /// Reads the name of a folder.
  init(_ name: String) {
    let folded = FoldedText.of(name)
    if Self.extraNames.contains(folded) {
      self = .extras
    } else if Self.subtitleNames.contains(folded) {
      self = .subtitles
    } else if Self.shelves.contains(folded) {
      self = .shelf
    } else if name.hasPrefix("@") || name.hasPrefix("$") || Self.ignoredNames.contains(folded) {
      self = .ignored
    } else if let season = Self.season(folded) {
      self = .season(season, series: nil)
    } else if let (title, season) = Self.titledSeason(name) {
      self = .season(season, series: title)
    } else {
      self = .plain
    }
  }

  private static func season(_ folded: String) -> Int? {
    if specialNames.contains(folded) { return 0 }
    let words = folded.split(separator: " ")
    guard let first = words.first else { return nil }
    if seasonWords.contains(String(first)), words.count > 1 { return number(words[1], 4) }
    // `1. Sezon`
    if words.count == 2, seasonWords.contains(String(words[1])) { return number(first, 2) }
    guard words.count == 1 else { return nil }
    if first.first == "s", let season = number(first.dropFirst(), 2) { return season }
    for word in seasonWords where first.hasPrefix(word) {
      return number(first.dropFirst(word.count), 4)
    }
    return nil
  }

  /// `Dark S01 1080p`, `Dark.Season.1`: as releases of whole seasons are called.
  private static func titledSeason(_ name: String) -> (String, Int)? {
    let text = BracketedText(name).text
    let words = text.split { $0 == " " || $0 == "." || $0 == "_" || $0 == "-" }.map(String.init)
    for (index, word) in words.enumerated().dropFirst() {
      let lower = word.lowercased()
      let rest = words[(index + 1)...]
      let title = words[..<index].joined(separator: " ")
      if lower.hasPrefix("s"), lower.utf8.count == 3, let number = number(lower.dropFirst(), 2),
        rest.allSatisfy({ ReleaseWords.contains($0) })
          || rest.contains(where: ReleaseWords.contains)
      {
        return (title, number)
      }
      if seasonWords.contains(lower), let next = rest.first, let number = number(next[...], 2),
        rest.count == 1 || rest.contains(where: ReleaseWords.contains)
      {
        return (title, number)
      }
    }
    return nil
  }

  private static func number(_ text: Substring, _ digits: Int) -> Int? {
    guard (1...digits).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) })
    else { return nil }
    return Int(text)
  }

  private static let seasonWords = [
    "season", "staffel", "saison", "temporada", "stagione", "sezon", "seizoen", "sasong", "series",
  ]
  private static let specialNames: Set<String> = ["specials", "special", "season specials"]
  private static let extraNames: Set<String> = [
    "behind the scenes", "deleted scenes", "interviews", "scenes", "samples", "sample", "shorts",
    "featurettes", "clips", "other", "extras", "extra", "trailers", "trailer", "theme music",
    "backdrops", "bonus",
  ]
  private static let subtitleNames: Set<String> = ["subs", "sub", "subtitles", "subtitle"]
  private static let shelves: Set<String> = [
    "movies", "movie", "films", "film", "filme", "filmler", "tv", "tv shows", "tv series", "shows",
    "serien", "diziler", "dizi", "anime", "media", "video", "videos", "downloads", "library",
    "cinema", "documentaries", "kids",
  ]
  private static let ignoredNames: Set<String> = [
    "lost found", "system volume information", "recycler", "recycle", "metadata", "trickplay",
  ]
}
