import Testing

@testable import SiloServer

@Suite("Search in the catalog")
struct CatalogSearchTests {
  private static let contents: CatalogContents = {
    var contents = CatalogContents()
    func add(
      _ id: String, _ kind: CatalogItem.Kind, _ title: String, _ year: Int?,
      original: String? = nil, genres: [String] = []
    ) {
      var item = CatalogItem(contentID: id, kind: kind, title: title)
      (item.year, item.originalTitle, item.genres) = (year, original, genres)
      contents.items[id] = item
      contents.titles.append(
        SearchableTitle(
          contentID: id, kind: kind, title: FoldedText.of(title),
          others: original.map { [FoldedText.of($0)] } ?? [], year: year, genres: genres))
    }
    add("a", .movie, "Alien", 1979, genres: ["Horror", "Science Fiction"])
    add("b", .movie, "Alien Resurrection", 1997, genres: ["Horror"])
    add("c", .movie, "Kış Uykusu", 2014, original: "Winter Sleep", genres: ["Drama"])
    add("d", .series, "Dark", 2017, genres: ["drama"])
    add("e", .episode, "Alien Nation", 2018)
    add("f", .movie, "My Alienation", nil)
    contents.titles.sort { $0.title < $1.title }
    return contents
  }()

  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var search: CatalogSearch
    var found: [String]
    var total: Int?
  }

  @Test(
    "Films, series and episodes are found",
    arguments: [
      Row(
        testDescription: "everything", search: CatalogSearch(), found: ["a", "b", "d", "c", "f"]),
      Row(
        testDescription: "the best match first", search: CatalogSearch(text: "alien"),
        found: ["a", "b", "f", "e"]),
      Row(
        testDescription: "without accents", search: CatalogSearch(text: "KIS uykusu"), found: ["c"]),
      Row(
        testDescription: "the original title", search: CatalogSearch(text: "winter"), found: ["c"]),
      Row(
        testDescription: "words in another order", search: CatalogSearch(text: "resur alien"),
        found: ["b"]),
      Row(testDescription: "nothing", search: CatalogSearch(text: "zebra"), found: []),
      Row(testDescription: "only signs", search: CatalogSearch(text: "%_*"), found: []),
      Row(
        testDescription: "only spaces", search: CatalogSearch(text: "  "),
        found: ["a", "b", "d", "c", "f"]),
      Row(testDescription: "series", search: CatalogSearch(kind: .series), found: ["d"]),
      Row(testDescription: "episodes", search: CatalogSearch(kind: .episode), found: ["e"]),
      Row(testDescription: "a genre", search: CatalogSearch(genre: "Drama"), found: ["d", "c"]),
      Row(testDescription: "years", search: CatalogSearch(years: 1990...2015), found: ["b", "c"]),
      Row(
        testDescription: "by year, the newest first",
        search: CatalogSearch(kind: .movie, order: .year, isDescending: true),
        found: ["c", "b", "a", "f"]),
      Row(
        testDescription: "a page", search: CatalogSearch(limit: 2, offset: 1), found: ["b", "d"],
        total: 5),
      Row(testDescription: "beyond the end", search: CatalogSearch(offset: 9), found: [], total: 5),
      Row(
        testDescription: "far beyond the end", search: CatalogSearch(limit: .max, offset: .max),
        found: [], total: 5),
    ])
  func search(row: Row) {
    let (items, total) = row.search.results(in: Self.contents)
    #expect(items.map(\.contentID) == row.found)
    #expect(total == row.total ?? row.found.count)
  }

  @Test(
    "The size of a picture has the name that people use",
    arguments: [
      (3840, 2160, "2160p"), (3840, 1600, "2160p"), (1920, 1080, "1080p"), (1920, 800, "1080p"),
      (1916, 796, "1080p"), (1440, 1080, "1080p"), (1280, 720, "720p"), (1280, 534, "720p"),
      (720, 576, "576p"), (854, 480, "480p"), (640, 360, "360p"), (160, 90, "90p"),
      (1080, 1920, "1080p"), (7680, 4320, "4320p"), (0, 0, nil),
    ] as [(Int, Int, String?)])
  func resolution(width: Int, height: Int, name: String?) {
    var summary = MediaSummary()
    (summary.width, summary.height) = (width, height)
    #expect(summary.resolution == name)
  }
}
