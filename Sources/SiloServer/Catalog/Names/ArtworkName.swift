/// What picture the name of an image file stands for, as Kodi and Jellyfin name them.
enum ArtworkName {
  /// The kinds of pictures that the server has.
  enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
    /// Upright, with the title.
    case poster
    /// Wide, behind everything.
    case backdrop
    /// The title as a picture that lets shine through.
    case logo
  }

  /// A kind, and how good this name is for it: the lower the better.
  struct Match: Hashable, Sendable {
    var kind: Kind
    var rank: Int
  }

  /// The picture that a bare name stands for in the folder of a film, a series or a season: `poster`, `fanart`.
  static func bare(_ stem: String) -> Match? {
    let lower = stem.lowercased()
    for (kind, names) in names {
      if let rank = names.firstIndex(of: lower) { return Match(kind: kind, rank: rank) }
    }
    return nil
  }

  /// The picture that a name stands for which begins with the name of a film: what is behind it, `-poster`, ``.
  static func behind(_ ending: String) -> Match? {
    // `Film.jpg`: worth more than a picture of the whole folder, and less than one that says what it is.
    if ending.isEmpty { return Match(kind: .poster, rank: 8) }
    guard let sign = ending.first, sign == "-" || sign == "." else { return nil }
    let word = ending.dropFirst().lowercased()
    if word == "thumb" { return Match(kind: .poster, rank: 9) }
    return bare(word)
  }

  /// The season whose poster a file in the folder of a series is: `season01-poster`, `season-specials-poster`.
  static func seasonPoster(_ stem: String) -> Int? {
    let lower = stem.lowercased()
    guard lower.hasPrefix("season"), lower.hasSuffix("-poster") else { return nil }
    let middle = lower.dropFirst("season".count).dropLast("-poster".count)
    if middle == "-specials" { return 0 }
    guard (1...4).contains(middle.utf8.count) else { return nil }
    return middle.utf8.allSatisfy { (48...57).contains($0) } ? Int(middle) : nil
  }

  private static let names: [(Kind, [String])] = [
    (.poster, ["poster", "folder", "cover", "movie", "default", "show"]),
    (.backdrop, ["fanart", "backdrop", "background", "art", "landscape"]),
    (.logo, ["clearlogo", "logo"]),
  ]
}
