/// What the name of a file or folder tells of a film or an episode.
///
/// `Title (Year)`, `Title (Year) - 2160p`, `Title.Year.1080p.BluRay`, `Series S01E02 Title`; ids and editions in brackets.
struct MediaName: Hashable, Sendable {
  /// The title of the film or series; empty when the name has none.
  var title: String
  /// The year of release.
  var year: Int?
  /// The place in a series; `nil` for a film.
  var number: EpisodeNumber?
  /// The title of the episode.
  var episodeTitle: String?
  /// What tells this file from others of the same film: `2160p`, `Director's Cut`.
  var version: String?
  /// The ids that the name carries.
  var ids: ProviderIDs

  /// The years that a number may be taken for.
  static let years = 1888...2099

  /// Reads a name without its extension.
  ///
  /// - Parameters:
  ///   - isInSeason: Whether it lies in a season's folder, where an episode's number may stand alone.
  ///   - isJoined: Whether `101` is episode 1 there, since the names around it say so.
  init(_ stem: String, isInSeason: Bool = false, isJoined: Bool = false) {
    let brackets = BracketedText(stem)
    ids = brackets.ids
    version = nil
    let text = Self.spaced(brackets.text)
    number = EpisodeNumber.find(in: text)
    if number == nil, isJoined { number = EpisodeNumber.findJoined(in: text) }
    if number == nil, isInSeason { number = EpisodeNumber.findAlone(in: text) }
    if number == nil, !isInSeason, stem.hasPrefix("["), !brackets.tags.isEmpty {
      number = EpisodeNumber.findThrough(
        in: text, hasHeight: brackets.tags.contains(where: ReleaseWords.hasHeight))
    }
    if let number {
      let bytes = Array(text.utf8)
      let before = String(decoding: bytes[..<number.place.lowerBound], as: UTF8.self)
      let after = String(decoding: bytes[number.place.upperBound...], as: UTF8.self)
      let series = TitleText(before, .series)
      (title, year) = (series.title, series.year)
      let episode = TitleText(after, .episode)
      episodeTitle = episode.title.isEmpty ? nil : episode.title
      version = episode.rest
    } else {
      // `[REC] (2007)`: what is left of the name without brackets is no title.
      let tag = brackets.tags.first.map { "[\($0)]" }
      let film = TitleText(text, .film, otherwise: tag)
      (title, year, version) = (film.title, film.year, film.rest)
    }
    version = brackets.edition ?? version ?? brackets.tags.first { ReleaseWords.isAll($0) }
  }

  /// Season and episode in one number that the file called `stem` in a season's folder may have; see `EpisodeNumber.findJoined`.
  static func joinedNumber(_ stem: String) -> EpisodeNumber? {
    EpisodeNumber.findJoined(in: spaced(BracketedText(stem).text))
  }

  /// The title as it is compared.
  var foldedTitle: String { FoldedText.of(title) }

  /// Spaces instead of the dots and underscores of a name that has none of its own.
  private static func spaced(_ text: String) -> String {
    let inner = text.trimming { $0 == " " }
    guard !inner.contains(" ") else {
      return inner.contains("_") ? inner.replacing("_", with: " ") : inner
    }
    return String(inner.map { $0 == "." || $0 == "_" ? " " : $0 })
  }
}

/// A title, the year behind it, and what follows.
struct TitleText: Hashable, Sendable {
  /// The title; empty when there is none.
  var title: String
  /// The year.
  var year: Int?
  /// What follows the year, or the words on how the file was made.
  var rest: String?

  /// What a text is the title of.
  enum Kind: Hashable, Sendable {
    case film
    case series
    case episode
  }

  /// Reads text that has spaces between its words; a film that has no title in it is called `otherwise`.
  init(_ text: String, _ kind: Kind, otherwise: String? = nil) {
    if let (before, year, after) = Self.yearInParentheses(text) {
      title = Self.trimmed(before)
      self.year = year
      rest = Self.nonEmpty(Self.trimmed(after))
      if !title.isEmpty { return }
      if let otherwise {
        title = otherwise
      } else {
        // `(1941)`: the title of a film, not its year.
        title = String(year)
        self.year = nil
      }
      return
    }
    let words = text.split(separator: " ")
    let end = kind == .series ? words.count : Self.releaseStart(words, from: kind == .film ? 1 : 0)
    var titleEnd = end
    // The last word of a film's name is a year when words on how it was made follow, else it may be of the title:
    // `Wonder Woman 1984`. Kodi and Jellyfin take it for a year in both.
    let isYearMeant = kind == .series || end < words.count
    if kind != .episode, isYearMeant, titleEnd > 1, let found = Self.year(words[titleEnd - 1]) {
      year = found
      titleEnd -= 1
    }
    let found = Self.trimmed(words[..<titleEnd].joined(separator: " "))
    title = found.isEmpty ? otherwise ?? "" : found
    rest = Self.nonEmpty(Self.trimmed(words[end...].joined(separator: " ")))
  }

  /// Where the words begin that only tell how the file was made; never at a film's first word.
  private static func releaseStart(_ words: [Substring], from start: Int) -> Int {
    let first = words.indices.dropFirst(start).first { ReleaseWords.contains(words[$0]) }
    return first ?? words.count
  }

  private static func year(_ word: Substring) -> Int? {
    // Years to come are numbers of titles: `Blade Runner 2049`.
    guard word.utf8.count == 4, let year = Int(word), (1900...2035).contains(year) else {
      return nil
    }
    return year
  }

  /// The last `(1999)` or `(2011-2019)`, with what stands before and after.
  private static func yearInParentheses(_ text: String) -> (String, Int, String)? {
    let bytes = Array(text.utf8)
    for open in bytes.indices.reversed() where bytes[open] == UInt8(ascii: "(") {
      guard open + 5 < bytes.count,
        let year = Int(String(decoding: bytes[open + 1..<open + 5], as: UTF8.self)),
        MediaName.years.contains(year),
        let close = bytes[open...].firstIndex(of: UInt8(ascii: ")")),
        bytes[open + 5..<close].allSatisfy({ (48...57).contains($0) || $0 == 45 || $0 == 32 }),
        close == open + 5 || bytes[open + 5] == 45
      else { continue }
      return (
        String(decoding: bytes[..<open], as: UTF8.self), year,
        String(decoding: bytes[(close + 1)...], as: UTF8.self)
      )
    }
    return nil
  }

  private static func trimmed(_ text: String) -> String {
    let words = text.split(separator: " ").joined(separator: " ")
    let trimmed = words.trimming { " -_.,–—+".contains($0) }
    // A dot belongs to an abbreviation at the end: `S.W.A.T.`
    if words.hasSuffix("."), trimmed.contains(".") { return trimmed + "." }
    return trimmed.hasPrefix("(") && trimmed.hasSuffix(")") && !trimmed.dropFirst().contains("(")
      ? String(trimmed.dropFirst().dropLast()) : trimmed
  }

  private static func nonEmpty(_ text: String) -> String? { text.isEmpty ? nil : text }
}
