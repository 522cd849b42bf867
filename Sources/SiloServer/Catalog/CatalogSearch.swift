/// A title as it is searched.
struct SearchableTitle: Hashable, Sendable {
  var contentID: String
  var kind: CatalogItem.Kind
  /// The title, folded.
  var title: String
  /// Other titles of the item, folded.
  var others: [String] = []
  var year: Int?
  var genres: [String] = []
}

/// What somebody looks for in the catalog.
struct CatalogSearch: Hashable, Sendable {
  /// In what order items are listed.
  enum Order: Hashable, Sendable {
    /// The best match first; by title without a text.
    case relevance
    case title
    case year
  }

  /// The words, as typed.
  var text: String?
  /// Only these; `nil` for films and series, and with a text for episodes of that title, too.
  var kind: CatalogItem.Kind?
  var genre: String?
  var years: ClosedRange<Int>?
  var order = Order.relevance
  var isDescending = false
  /// How many at most.
  var limit = 20
  /// How many of the first are left out.
  var offset = 0

  /// The most items of one page.
  static let mostItems = 100

  /// The page of items, and how many there are in all.
  func results(in contents: CatalogContents) -> (items: [CatalogItem], total: Int) {
    let words = text.map { FoldedText.of($0) } ?? ""
    // Something was typed, and nothing of it can be part of a title.
    if let text, !text.allSatisfy(\.isWhitespace), words.isEmpty { return ([], 0) }
    var found: [(rank: Int, index: Int)] = []
    for (index, entry) in contents.titles.enumerated() {
      guard isWanted(entry, hasText: !words.isEmpty), let rank = Self.rank(entry, words) else {
        continue
      }
      found.append((rank, index))
    }
    sort(&found, contents.titles)
    let page = found.dropFirst(max(0, offset)).prefix(min(max(0, limit), Self.mostItems))
    return (page.compactMap { contents.items[contents.titles[$0.index].contentID] }, found.count)
  }

  private func isWanted(_ entry: SearchableTitle, hasText: Bool) -> Bool {
    if let kind {
      guard entry.kind == kind else { return false }
    } else if entry.kind == .episode, !hasText {
      return false
    }
    if let years {
      guard let year = entry.year, years.contains(year) else { return false }
    }
    guard let genre else { return true }
    return entry.genres.contains { FoldedText.of($0) == FoldedText.of(genre) }
  }

  private func sort(_ found: inout [(rank: Int, index: Int)], _ titles: [SearchableTitle]) {
    // Titles are in order already.
    switch order {
    case .relevance: found.sort { ($0.rank, $0.index) < ($1.rank, $1.index) }
    case .title: break
    case .year:
      found.sort { a, b in
        (titles[a.index].year ?? 0, a.index) < (titles[b.index].year ?? 0, b.index)
      }
    }
    if isDescending { found.reverse() }
  }

  /// How good a match is, the lower the better.
  ///
  /// `nil` for none: all words have to begin words of one title.
  private static func rank(_ entry: SearchableTitle, _ text: String) -> Int? {
    if text.isEmpty { return 0 }
    let kind = entry.kind == .episode ? 10 : 0
    let ranks = ([entry.title] + entry.others).compactMap { rank($0, text) }
    return ranks.min().map { $0 + kind }
  }

  private static func rank(_ title: String, _ text: String) -> Int? {
    if title == text { return 0 }
    if title.hasPrefix(text) { return 1 }
    if title.contains(text) { return (" " + title).contains(" " + text) ? 2 : 4 }
    let words = title.split(separator: " ")
    let isAll = text.split(separator: " ").allSatisfy { wanted in
      words.contains { $0.hasPrefix(wanted) }
    }
    return isAll ? 3 : nil
  }
}
