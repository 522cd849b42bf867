import Foundation

extension MediaNotes {
  private static let mostGenres = 32
  private static let longestText = 20_000

  /// Notes what the element `name` says.
  mutating func take(_ text: String, of name: String, _ attributes: [String: String]) {
    guard !text.isEmpty else { return }
    let text = String(text.prefix(Self.longestText))
    switch name.lowercased() {
    case "title": title = title ?? text
    case "originaltitle": facts.originalTitle = facts.originalTitle ?? text
    case "plot": facts.overview = text
    case "outline": facts.overview = facts.overview ?? text
    case "year": facts.year = Self.year(text) ?? facts.year
    case "premiered", "releasedate", "aired":
      facts.airDate = facts.airDate ?? Self.date(text)
      facts.year = facts.year ?? Self.year(String(text.prefix(4)))
    case "runtime":
      facts.runtimeMinutes = Self.number(text, upTo: 100_000).flatMap { $0 > 0 ? $0 : nil }
    case "mpaa", "certification":
      facts.contentRating = facts.contentRating ?? Self.rating(text)
    case "genre":
      let words = text.split(separator: "/").map { $0.trimmingSpaces }
      for word in words where !word.isEmpty && facts.genres.count < Self.mostGenres {
        if !facts.genres.contains(word) { facts.genres.append(word) }
      }
    case "season", "seasonnumber": season = Self.number(text, upTo: 9999)
    case "episode": episode = Self.number(text, upTo: 99_999)
    case "status": facts.status = text
    default: takeID(text, of: name.lowercased(), attributes)
    }
  }

  private mutating func takeID(_ text: String, of name: String, _ attributes: [String: String]) {
    switch name {
    case "uniqueid": facts.ids.set(text, of: attributes["type"] ?? "")
    case "id":
      // The elder form: of a film that of IMDb, of a series that of TheTVDB.
      if !facts.ids.set(text, of: "imdb"), kind == .series, facts.ids.tvdb == nil {
        facts.ids.set(text, of: "tvdb")
      }
    case "imdbid", "imdb_id": facts.ids.set(text, of: "imdb")
    case "tmdbid": facts.ids.set(text, of: "tmdb")
    case "tvdbid": facts.ids.set(text, of: "tvdb")
    default: break
    }
  }

  private static func year(_ text: String) -> Int? {
    number(text, upTo: 9999).flatMap { MediaName.years.contains($0) ? $0 : nil }
  }

  /// The digits at the start: `112`, `112 min`.
  private static func number(_ text: String, upTo most: Int) -> Int? {
    let digits = text.utf8.prefix { (48...57).contains($0) }
    guard (1...6).contains(digits.count) else { return nil }
    let number = digits.reduce(0) { $0 * 10 + Int($1 - 48) }
    return number <= most ? number : nil
  }

  private static func date(_ text: String) -> String? {
    let parts = text.prefix(10).split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, [4, 2, 2] == parts.map(\.utf8.count),
      parts.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }),
      let month = Int(parts[1]), let day = Int(parts[2]), (1...12).contains(month),
      (1...31).contains(day)
    else { return nil }
    return String(text.prefix(10))
  }

  /// `Rated PG-13 for some reason` and `US:PG-13 / DE:12` are `PG-13`.
  private static func rating(_ text: String) -> String? {
    var text = text.split(separator: "/").first.map { $0.trimmingSpaces } ?? ""
    if text.lowercased().hasPrefix("rated ") { text = String(text.dropFirst(6)) }
    if let colon = text.firstIndex(of: ":"), text[..<colon].utf8.count <= 3 {
      text = String(text[text.index(after: colon)...])
    }
    if let reason = text.range(of: " for ") { text = String(text[..<reason.lowerBound]) }
    return text.isEmpty ? nil : String(text.prefix(64))
  }
}

extension Substring {
  /// Without spaces at both ends.
  var trimmingSpaces: String { String(self).trimming { $0.isWhitespace } }
}
