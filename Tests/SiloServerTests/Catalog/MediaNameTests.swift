import Testing

@testable import SiloServer

@Suite("Names of media")
struct MediaNameTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var title: String
    var year: Int?
    var season: Int?
    var episodes: [Int] = []
    var episodeTitle: String?
    var version: String?
    var ids: [String: String] = [:]
    var isInSeason = false
    var testDescription: String { name }
  }

  static let films: [Row] = [
    Row(name: "Dune (2021)", title: "Dune", year: 2021),
    Row(
      name: "Dune.2021.1080p.BluRay.x264-GROUP", title: "Dune", year: 2021,
      version: "1080p BluRay x264-GROUP"),
    Row(name: "Dune (2021) - 2160p", title: "Dune", year: 2021, version: "2160p"),
    Row(name: "Dune (2021) - Director's Cut", title: "Dune", year: 2021, version: "Director's Cut"),
    Row(
      name: "Dune (2021) {edition-Director's Cut}", title: "Dune", year: 2021,
      version: "Director's Cut"),
    Row(name: "Dune (2021) [2160p]", title: "Dune", year: 2021, version: "2160p"),
    Row(name: "Dune [2021]", title: "Dune", year: 2021),
    Row(name: "Dune (2021) [tmdbid-438631]", title: "Dune", year: 2021, ids: ["tmdb": "438631"]),
    Row(
      name: "Dune (2021) {imdb-tt1160419}", title: "Dune", year: 2021, ids: ["imdb": "tt1160419"]),
    Row(
      name: "Dune {tmdb-438631} [imdbid=tt1160419]", title: "Dune",
      ids: ["tmdb": "438631", "imdb": "tt1160419"]),
    Row(name: "Dune [imdbid-1160419]", title: "Dune"),
    Row(name: "Mr. Nobody (2009)", title: "Mr. Nobody", year: 2009),
    Row(name: "2012 (2009)", title: "2012", year: 2009),
    Row(name: "2012", title: "2012"),
    Row(name: "(1941)", title: "1941"),
    Row(name: "1917.2019.2160p.WEB-DL", title: "1917", year: 2019, version: "2160p WEB-DL"),
    Row(name: "Blade Runner 2049", title: "Blade Runner 2049"),
    Row(
      name: "Blade.Runner.2049.2017.1080p", title: "Blade Runner 2049", year: 2017, version: "1080p"
    ),
    Row(name: "2001 A Space Odyssey (1968)", title: "2001 A Space Odyssey", year: 1968),
    Row(name: "[REC] (2007)", title: "[REC]", year: 2007),
    Row(name: "[REC]", title: "[REC]"),
    Row(
      name: "Amélie – Le fabuleux destin (2001)", title: "Amélie – Le fabuleux destin", year: 2001),
    Row(name: "Kış Uykusu (2014)", title: "Kış Uykusu", year: 2014),
    Row(name: "千と千尋の神隠し (2001)", title: "千と千尋の神隠し", year: 2001),
    Row(name: "Film_With_Underscores_(1999)", title: "Film With Underscores", year: 1999),
    Row(name: "Spider-Man - Homecoming (2017)", title: "Spider-Man - Homecoming", year: 2017),
    Row(name: "The Good (and the Bad) (1966)", title: "The Good (and the Bad)", year: 1966),
    Row(name: "Alien 1979", title: "Alien 1979"),
    Row(name: "Alien 1979 1080p", title: "Alien", year: 1979, version: "1080p"),
    Row(name: "Wonder Woman 1984", title: "Wonder Woman 1984"),
    Row(name: "Wonder.Woman.1984", title: "Wonder Woman 1984"),
    Row(name: "Wonder Woman 1984 (2020)", title: "Wonder Woman 1984", year: 2020),
    Row(
      name: "Wonder.Woman.1984.2020.1080p.BluRay", title: "Wonder Woman 1984", year: 2020,
      version: "1080p BluRay"),
    Row(name: "Film.1080p.mkv-like", title: "Film", version: "1080p mkv-like"),
    Row(name: "4K", title: "4K"),
    Row(name: "S.W.A.T. (2003)", title: "S.W.A.T.", year: 2003),
    Row(name: "", title: ""),
  ]

  static let episodes: [Row] = [
    Row(
      name: "Dark (2017) S01E02 Lies", title: "Dark", year: 2017, season: 1, episodes: [2],
      episodeTitle: "Lies"),
    Row(name: "Dark S01E02", title: "Dark", season: 1, episodes: [2]),
    Row(
      name: "Dark.S01E02.1080p.WEB-DL", title: "Dark", season: 1, episodes: [2],
      version: "1080p WEB-DL"),
    Row(
      name: "Dark.S01.E02.Lies.1080p", title: "Dark", season: 1, episodes: [2],
      episodeTitle: "Lies", version: "1080p"),
    Row(name: "Dark - s1e2 - Lies", title: "Dark", season: 1, episodes: [2], episodeTitle: "Lies"),
    Row(name: "Dark 1x02 Lies", title: "Dark", season: 1, episodes: [2], episodeTitle: "Lies"),
    Row(name: "Dark 1x02-1x04", title: "Dark", season: 1, episodes: [2, 3, 4]),
    Row(name: "Dark 1x02x03", title: "Dark", season: 1, episodes: [2, 3]),
    Row(name: "Dark S01E02E03", title: "Dark", season: 1, episodes: [2, 3]),
    Row(
      name: "Dark S01E02-E03 Two", title: "Dark", season: 1, episodes: [2, 3], episodeTitle: "Two"),
    Row(name: "Dark S01E02-E05", title: "Dark", season: 1, episodes: [2, 3, 4, 5]),
    Row(name: "Dark S01E02-03", title: "Dark", season: 1, episodes: [2, 3]),
    Row(name: "Dark S01E02 - S01E03", title: "Dark", season: 1, episodes: [2, 3]),
    Row(name: "Dark S01E02-1080p", title: "Dark", season: 1, episodes: [2], version: "1080p"),
    Row(
      name: "Dark S01E02 - 03 Minutes", title: "Dark", season: 1, episodes: [2],
      episodeTitle: "03 Minutes"),
    Row(
      name: "Dark S00E01 Making of", title: "Dark", season: 0, episodes: [1],
      episodeTitle: "Making of"),
    Row(name: "S02E10", title: "", season: 2, episodes: [10]),
    Row(
      name: "Doctor Who (2005) - S2023E101", title: "Doctor Who", year: 2005, season: 2023,
      episodes: [101]),
    Row(name: "Dark Season 1 Episode 2", title: "Dark", season: 1, episodes: [2]),
    Row(
      name: "Show.2019.S01E01.Pilot", title: "Show", year: 2019, season: 1, episodes: [1],
      episodeTitle: "Pilot"),
    Row(
      name: "Diriliş Ertuğrul S01E01 İlk", title: "Diriliş Ertuğrul", season: 1, episodes: [1],
      episodeTitle: "İlk"),
    Row(name: "Dark S01E02 - 2160p", title: "Dark", season: 1, episodes: [2], version: "2160p"),
    Row(name: "Clip 1920x1080", title: "Clip 1920x1080"),
    Row(name: "Sales3e4", title: "Sales3e4"),
    Row(name: "Dark S01E99999999999999999999", title: "Dark S01E99999999999999999999"),
    Row(name: "02 - Lies", title: "", episodes: [2], episodeTitle: "Lies", isInSeason: true),
    Row(name: "E02", title: "", episodes: [2], isInSeason: true),
    Row(name: "Episode 12", title: "", episodes: [12], isInSeason: true),
    Row(
      name: "[Group] Dark - 012 [1080p]", title: "Dark", episodes: [12], version: "1080p",
      isInSeason: true),
    Row(name: "Dark - 012", title: "Dark - 012"),
    Row(name: "24 S01E01", title: "24", season: 1, episodes: [1]),
  ]

  static let turkishNames: [Row] = [
    Row(name: "3. Bölüm", title: "", episodes: [3], isInSeason: true),
    Row(name: "3. BÖLÜM - Son", title: "", episodes: [3], episodeTitle: "Son", isInSeason: true),
    Row(name: "3.Bölüm.1080p", title: "", episodes: [3], version: "1080p", isInSeason: true),
    Row(name: "Bo\u{308}lu\u{308}m 3", title: "", episodes: [3], isInSeason: true),
    Row(
      name: "Leyla ile Mecnun 3. Bolum", title: "Leyla ile Mecnun", episodes: [3], isInSeason: true),
    Row(name: "Dizi 1 Bölüm 3", title: "Dizi 1", episodes: [3], isInSeason: true),
    Row(name: "3. Folge", title: "", episodes: [3], isInSeason: true),
    Row(name: "Dizi 1. Sezon 3. Bölüm", title: "Dizi", season: 1, episodes: [3]),
    Row(
      name: "Dizi.1.Sezon.3.Bölüm.1080p", title: "Dizi", season: 1, episodes: [3], version: "1080p"),
    Row(
      name: "Dizi 1. Sezon 3. Bölüm 45 Dakika", title: "Dizi", season: 1, episodes: [3],
      episodeTitle: "45 Dakika"),
    Row(name: "Dizi Sezon 1 Bölüm 3", title: "Dizi", season: 1, episodes: [3]),
    Row(name: "Dizi S01 3. Bölüm", title: "Dizi S01 3. Bölüm"),
    Row(name: "24 Sezon 1 Bölüm 2", title: "24", season: 1, episodes: [2]),
    Row(name: "24 Staffel 1 Folge 2", title: "24", season: 1, episodes: [2]),
    // A film, and nothing says the season.
    Row(name: "Ölüm Yadigarları 2. Bölüm", title: "Ölüm Yadigarları 2. Bölüm"),
    Row(name: "Şafak Vakti Bölüm 1 (2011)", title: "Şafak Vakti Bölüm 1", year: 2011),
    Row(name: "2. Bölümler", title: "", episodes: [2], episodeTitle: "Bölümler", isInSeason: true),
  ]

  static let throughNames: [Row] = [
    Row(
      name: "[Group] Title - 012 [1080p]", title: "Title", season: 1, episodes: [12],
      version: "1080p"),
    Row(name: "[Group]_Title_-_12v2_[ABCD1234]", title: "Title", season: 1, episodes: [12]),
    Row(
      name: "[Group] Title - 812 (1080p)", title: "Title", season: 1, episodes: [812],
      version: "1080p"),
    Row(
      name: "[Group] Title - 720 [1080p]", title: "Title", season: 1, episodes: [720],
      version: "1080p"),
    Row(name: "[Group] Title S2 - 05", title: "Title", season: 2, episodes: [5]),
    Row(
      name: "[Group] Long - Title - 05 1080p x264", title: "Long - Title", season: 1, episodes: [5],
      version: "1080p x264"),
    Row(
      name: "[Group] Title S02E05 [1080p]", title: "Title", season: 2, episodes: [5],
      version: "1080p"),
    // Near misses: nothing that says a group, years, heights, film numbers, more title.
    Row(name: "Title - 012 [1080p]", title: "Title - 012", version: "1080p"),
    Row(
      name: "[Group] Blade Runner - 2049 [1080p]", title: "Blade Runner - 2049", version: "1080p"),
    Row(name: "[Group] 1917 [1080p]", title: "1917", version: "1080p"),
    Row(name: "[Group] Title - 720", title: "Title - 720"),
    Row(name: "[Group] Title - 1080p", title: "Title", version: "1080p"),
    Row(name: "[Group] Title - 00", title: "Title - 00"),
    Row(name: "[Group] Title - 12 Monkeys", title: "Title - 12 Monkeys"),
    Row(name: "[Group] Title - 12 (2009)", title: "Title - 12", year: 2009),
    Row(name: "[Group] Title-12", title: "Title-12"),
    Row(name: "[REC] - 2", title: "2"),
  ]

  @Test(
    "Turkish numbers stand before their word; alone they count in the folder of a season",
    arguments: turkishNames)
  func turkish(row: Row) { check(row) }

  @Test(
    "A group's number behind a dash counts through, years and lines of pictures do not",
    arguments: throughNames)
  func through(row: Row) { check(row) }

  @Test(
    "A part of a film is told from a part in its title",
    arguments: [
      (["Heat (1995)-cd1", "Heat (1995)-cd2"], 2), (["Heat CD 1", "Heat CD 2", "Heat CD 3"], 3),
      (["Heat.1995.cd1.xvid", "Heat.1995.cd2.xvid"], 2),
      (["Heat.1995.part1", "Heat.1995.PART2"], 2),
      (["Heat (1995) - pt1", "Heat (1995) - pt2", "Heat (1995)"], 2),
      (["Dark S01E01 part1", "Dark S01E01 part2"], 2), (["Heat disc1", "Heat disc2"], 2),
      // One alone, another film, a title, kinds of discs.
      (["Heat (1995)-cd1"], 0), (["Heat-cd2", "Heat-cd3"], 0), (["Heat-cd1", "Alien-cd2"], 0),
      (["Deathly Hallows Part 1 (2010)", "Deathly Hallows Part 2 (2011)"], 0),
      (["Dune.Part1.1080p", "Dune.Part2.1080p"], 0), (["Dune Part1", "Dune Part2"], 0),
      (["Dune (2021) Part 1", "Dune (2021) Part 2"], 0),
      (["Heat.1995.DVD5", "Heat.1995.DVD9"], 0),
      (["Heat (1995) - 1080p", "Heat (1995) - 720p"], 0),
      (["Dark S01E01 part1", "Dark S01E02 part2"], 0), (["cd1", "cd2"], 0),
      (["ABCD1", "ABCD2"], 0),
    ] as [([String], Int)])
  func parts(stems: [String], count: Int) {
    #expect(StackedPart.parts(of: stems).count == count)
  }

  @Test("A film's name gives title, year, version and ids", arguments: films)
  func film(row: Row) { check(row) }

  @Test("An episode's name gives series, season, episodes and title", arguments: episodes)
  func episode(row: Row) { check(row) }

  private func check(_ row: Row) {
    let name = MediaName(row.name, isInSeason: row.isInSeason)
    #expect(name.title == row.title)
    #expect(name.year == row.year)
    #expect(name.number?.season == row.season)
    #expect(name.number?.episodes ?? [] == row.episodes)
    #expect(name.episodeTitle == row.episodeTitle)
    #expect(name.version == row.version)
    #expect(name.ids.byProvider == row.ids)
  }

  @Test(
    "A folder's name tells what it is for",
    arguments: [
      ("Season 01", .season(1, series: nil)), ("Season 1", .season(1, series: nil)),
      ("Season 00", .season(0, series: nil)), ("Specials", .season(0, series: nil)),
      ("Staffel 2", .season(2, series: nil)), ("1. Sezon", .season(1, series: nil)),
      ("Sezon 3", .season(3, series: nil)), ("S02", .season(2, series: nil)),
      ("Season 2 (2019)", .season(2, series: nil)), ("season01", .season(1, series: nil)),
      ("Dark.S01.1080p.WEB-DL", .season(1, series: "Dark")),
      ("Dark Season 1", .season(1, series: "Dark")),
      ("Season of the Witch (2011)", .plain), ("Dark (2017)", .plain), ("S.W.A.T.", .plain),
      ("Extras", .extras), ("Behind The Scenes", .extras), ("trailers", .extras),
      ("Subs", .subtitles), ("Movies", .shelf), ("TV Shows", .shelf), ("@eaDir", .ignored),
      ("lost+found", .ignored), ("$RECYCLE.BIN", .ignored),
    ] as [(String, FolderRole)])
  func folder(name: String, role: FolderRole) {
    #expect(FolderRole(name) == role)
  }

  @Test(
    "Trailers and samples are no films",
    arguments: [
      ("Dune (2021)-trailer", true), ("trailer", true), ("Dune.sample", true), ("sample", true),
      ("Dune-behindthescenes", true), ("Dune-deleted", true), ("Theme", true),
      ("Trailer Park Boys", false), ("Free Sample Day", false), ("Interview", false),
      ("The Other", false), ("Short", false),
    ])
  func extras(name: String, isExtra: Bool) {
    #expect(ExtraName.isExtra(name) == isExtra)
  }

  @Test(
    "Text is compared without case, accents and punctuation",
    arguments: [
      ("Amélie – Le Film", "amelie le film"), ("KIŞ  Uykusu", "kis uykusu"), ("I'm", "im"),
      ("Director’s", "directors"), ("İstanbul", "istanbul"), ("Straße", "strasse"),
      ("千と千尋", "千と千尋"), ("", ""), ("...", ""), ("A.B", "a b"),
    ])
  func folding(text: String, folded: String) {
    #expect(FoldedText.of(text) == folded)
  }
}
