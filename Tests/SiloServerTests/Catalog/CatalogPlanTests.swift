import SiloMedia
import Testing

@testable import SiloServer

@Suite("The plan of a folder")
struct CatalogPlanTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var files: [String]
    var outline: [String]
    var rootName = "media"
    var notes: [String: String] = [:]
  }

  static let films: [Row] = [
    Row(
      testDescription: "films side by side",
      files: ["Alien (1979).mkv", "Dune (2021).mp4"],
      outline: ["film Alien (1979): Alien (1979).mkv", "film Dune (2021): Dune (2021).mp4"]),
    Row(
      testDescription: "several versions side by side",
      files: ["Dune (2021) - 1080p.mkv", "Dune (2021) - 2160p.mkv"],
      outline: [
        "film Dune (2021): Dune (2021) - 1080p.mkv [1080p], Dune (2021) - 2160p.mkv [2160p]"
      ]),
    Row(
      testDescription: "several versions in a folder",
      files: [
        "Dune (2021) [tmdbid-438631]/Dune (2021) - 2160p.mkv",
        "Dune (2021) [tmdbid-438631]/Dune Extended.mkv",
      ],
      outline: [
        "film Dune (2021) tmdb=438631: Dune (2021) [tmdbid-438631]/Dune (2021) - 2160p.mkv [2160p], "
          + "Dune (2021) [tmdbid-438631]/Dune Extended.mkv [Extended]"
      ]),
    Row(
      testDescription: "a file without a name in the folder of a film",
      files: ["Movies/Dune (2021)/movie.mkv"],
      outline: ["film Dune (2021): Movies/Dune (2021)/movie.mkv"]),
    Row(
      testDescription: "a folder that is a collection",
      files: ["Alien/Alien (1979).mkv", "Alien/Alien Resurrection (1997).mkv"],
      outline: [
        "film Alien (1979): Alien/Alien (1979).mkv",
        "film Alien Resurrection (1997): Alien/Alien Resurrection (1997).mkv",
      ]),
    Row(
      testDescription: "a folder with another film's year",
      files: ["Best of (2010)/Alien (1979).mkv"],
      outline: ["film Alien (1979): Best of (2010)/Alien (1979).mkv"]),
    Row(
      testDescription: "two films of one title in two folders",
      files: ["a/Heat.mkv", "b/Heat.mkv"],
      outline: ["film Heat: a/Heat.mkv", "film Heat: b/Heat.mkv"]),
    Row(
      testDescription: "trailers, samples, extras",
      files: [
        "Dune (2021)/Dune (2021).mkv", "Dune (2021)/Dune (2021)-trailer.mp4",
        "Dune (2021)/Extras/Making of.mkv", "Dune (2021)/sample.mkv",
        "Dune (2021)/trailers/Teaser.mp4",
      ],
      outline: ["film Dune (2021): Dune (2021)/Dune (2021).mkv"]),
    Row(
      testDescription: "sidecars and pictures of a film in its folder",
      files: [
        "Dune (2021)/Dune (2021).mkv", "Dune (2021)/Dune (2021).tr.forced.srt",
        "Dune (2021)/Dune (2021).en.sdh.srt", "Dune (2021)/Subs/2_English.srt",
        "Dune (2021)/poster.jpg", "Dune (2021)/folder.jpg", "Dune (2021)/fanart.png",
        "Dune (2021)/clearlogo.png", "Dune (2021)/Other.en.srt",
      ],
      outline: [
        "film Dune (2021): Dune (2021)/Dune (2021).mkv",
        "  sub en srt hi Dune (2021)/Dune (2021).en.sdh.srt",
        "  sub tr srt forced Dune (2021)/Dune (2021).tr.forced.srt",
        "  sub en srt Dune (2021)/Subs/2_English.srt",
        "  backdrop Dune (2021)/fanart.png", "  logo Dune (2021)/clearlogo.png",
        "  poster Dune (2021)/poster.jpg",
        "skipped Dune (2021)/Other.en.srt",
      ]),
    Row(
      testDescription: "sidecars and pictures of films side by side",
      files: [
        "Alien (1979).mkv", "Alien (1979).tr.srt", "Alien (1979)-poster.jpg",
        "Dune (2021).mkv", "Dune (2021).jpg", "poster.jpg",
      ],
      outline: [
        "film Alien (1979): Alien (1979).mkv", "  sub tr srt Alien (1979).tr.srt",
        "  poster Alien (1979)-poster.jpg", "film Dune (2021): Dune (2021).mkv",
        "  poster Dune (2021).jpg",
      ]),
    Row(
      testDescription: "a subtitle for all versions",
      files: [
        "Dune (2021)/Dune (2021) - 1080p.mkv", "Dune (2021)/Dune (2021) - 2160p.mkv",
        "Dune (2021)/Dune (2021).de.srt",
      ],
      outline: [
        "film Dune (2021): Dune (2021)/Dune (2021) - 1080p.mkv [1080p], "
          + "Dune (2021)/Dune (2021) - 2160p.mkv [2160p]",
        "  sub de srt Dune (2021)/Dune (2021).de.srt",
        "  sub de srt Dune (2021)/Dune (2021).de.srt",
      ]),
    Row(
      testDescription: "music is no film",
      files: ["Song.mp3", "Alien (1979).mkv"],
      outline: ["film Alien (1979): Alien (1979).mkv", "skipped Song.mp3"]),
    Row(
      testDescription:
        "a film in two files is none that can be served, and no film with two versions",
      files: [
        "Heat (1995)/Heat (1995)-cd1.avi", "Heat (1995)/Heat (1995)-cd2.avi", "Alien-cd1.avi",
        "Dune (2021).mkv",
      ],
      outline: [
        "film Alien-cd1: Alien-cd1.avi", "film Dune (2021): Dune (2021).mkv",
        "skipped Heat (1995)/Heat (1995)-cd1.avi", "skipped Heat (1995)/Heat (1995)-cd2.avi",
      ]),
    Row(testDescription: "nothing", files: [], outline: []),
  ]

  static let series: [Row] = [
    Row(
      testDescription: "the layout of media centres",
      files: [
        "Dark (2017)/Season 00/Dark S00E01 Making of.mkv",
        "Dark (2017)/Season 01/Dark S01E01 Secrets.mkv",
        "Dark (2017)/Season 01/Dark S01E02 Lies.mkv",
      ],
      outline: [
        "series Dark (2017)", "  0x01 Making of: Dark (2017)/Season 00/Dark S00E01 Making of.mkv",
        "  1x01 Secrets: Dark (2017)/Season 01/Dark S01E01 Secrets.mkv",
        "  1x02 Lies: Dark (2017)/Season 01/Dark S01E02 Lies.mkv",
      ]),
    Row(
      testDescription: "numbers alone in the folder of a season",
      files: ["Dark/Specials/01 - Making of.mkv", "Dark/Staffel 2/Episode 03.mkv"],
      outline: [
        "series Dark", "  0x01 Making of: Dark/Specials/01 - Making of.mkv",
        "  2x03: Dark/Staffel 2/Episode 03.mkv",
      ]),
    Row(
      testDescription: "Turkish seasons and episodes",
      files: [
        "Dizi/1. Sezon/2. Bölüm.mkv", "Dizi/1. Sezon/Dizi 3. Bölüm.mkv",
        "Dizi/2. Sezon/1.Bölüm.mkv",
      ],
      outline: [
        "series Dizi", "  1x02: Dizi/1. Sezon/2. Bölüm.mkv",
        "  1x03: Dizi/1. Sezon/Dizi 3. Bölüm.mkv", "  2x01: Dizi/2. Sezon/1.Bölüm.mkv",
      ]),
    Row(
      testDescription: "season and episode in one number, where the season's folder says so",
      files: [
        "Dexter/Season 01/Dexter.101.720p.x264.mkv", "Dexter/Season 01/Dexter.112.Born.Free.mkv",
        "Dexter/Season 02/201 - Back.mkv", "Dexter/Season 02/Dexter S02E05.mkv",
      ],
      outline: [
        "series Dexter", "  1x01: Dexter/Season 01/Dexter.101.720p.x264.mkv [720p x264]",
        "  1x12 Born Free: Dexter/Season 01/Dexter.112.Born.Free.mkv",
        "  2x01 Back: Dexter/Season 02/201 - Back.mkv",
        "  2x05: Dexter/Season 02/Dexter S02E05.mkv",
      ]),
    Row(
      testDescription: "numbers that do not agree with the season are no episodes of it",
      files: [
        "Dexter/Season 01/Dexter.101.mkv", "Dexter/Season 01/Dexter.201.mkv",
        "Lines/Season 07/Lines 720 x264.mkv", "Through/Season 1/100.mkv",
        "Through/Season 1/101.mkv", "Years/Season 20/Years 2012.mkv",
      ],
      outline: [
        "series Through", "  1x100: Through/Season 1/100.mkv", "  1x101: Through/Season 1/101.mkv",
        "skipped Dexter/Season 01/Dexter.101.mkv", "skipped Dexter/Season 01/Dexter.201.mkv",
        "skipped Lines/Season 07/Lines 720 x264.mkv", "skipped Years/Season 20/Years 2012.mkv",
      ]),
    Row(
      testDescription: "a group's numbers count through as season 1",
      files: ["Anime/Title/[Group] Title - 012 [1080p].mkv", "Anime/[Group] Other S2 - 03.mkv"],
      outline: [
        "series Other", "  2x03: Anime/[Group] Other S2 - 03.mkv", "series Title",
        "  1x12: Anime/Title/[Group] Title - 012 [1080p].mkv [1080p]",
      ]),
    Row(
      testDescription: "a file with two episodes",
      files: ["Dark/Dark S01E01-E02.mkv"],
      outline: [
        "series Dark", "  1x01: Dark/Dark S01E01-E02.mkv", "  1x02: Dark/Dark S01E01-E02.mkv",
      ]),
    Row(
      testDescription: "several series on one shelf",
      files: ["TV/Dark S01E01.mkv", "TV/Fargo 2x03.mkv"],
      outline: [
        "series Dark", "  1x01: TV/Dark S01E01.mkv", "series Fargo", "  2x03: TV/Fargo 2x03.mkv",
      ]),
    Row(
      testDescription: "several series in a folder of another name",
      files: ["New/Dark S01E01.mkv", "New/Fargo 2x03.mkv"],
      outline: [
        "series Dark", "  1x01: New/Dark S01E01.mkv", "series Fargo", "  2x03: New/Fargo 2x03.mkv",
      ]),
    Row(
      testDescription: "abbreviated in the folder of the series",
      files: ["Game of Thrones (2011)/GoT S01E01.mkv"],
      outline: ["series Game of Thrones (2011)", "  1x01: Game of Thrones (2011)/GoT S01E01.mkv"]),
    Row(
      testDescription: "a release of a season",
      files: ["Dark.S01.1080p.WEB-DL/Dark.S01E01.1080p.mkv", "Dark/Dark S02E01.mkv"],
      outline: [
        "series Dark", "  1x01: Dark.S01.1080p.WEB-DL/Dark.S01E01.1080p.mkv [1080p]",
        "  2x01: Dark/Dark S02E01.mkv",
      ]),
    Row(
      testDescription: "seasons right in the folder that is served",
      files: ["Season 01/S01E01.mkv", "poster.jpg"],
      outline: ["series Dark (2017)", "  poster poster.jpg", "  1x01: Season 01/S01E01.mkv"],
      rootName: "Dark (2017)"),
    Row(
      testDescription: "two versions of one episode",
      files: ["Dark/Season 1/Dark S01E01 - 1080p.mkv", "Dark/Season 1/Dark S01E01 - 2160p.mkv"],
      outline: [
        "series Dark",
        "  1x01: Dark/Season 1/Dark S01E01 - 1080p.mkv [1080p], "
          + "Dark/Season 1/Dark S01E01 - 2160p.mkv [2160p]",
      ]),
    Row(
      testDescription: "pictures and subtitles of a series",
      files: [
        "Dark/poster.jpg", "Dark/season01-poster.jpg", "Dark/Season 01/Dark S01E01.mkv",
        "Dark/Season 01/Dark S01E01-thumb.jpg", "Dark/Season 01/Dark S01E01.tr.ass",
        "Dark/season-specials-poster.jpg",
      ],
      outline: [
        "series Dark", "  poster Dark/poster.jpg",
        "  season 0 poster Dark/season-specials-poster.jpg",
        "  season 1 poster Dark/season01-poster.jpg", "  1x01: Dark/Season 01/Dark S01E01.mkv",
        "    sub tr ass Dark/Season 01/Dark S01E01.tr.ass",
        "    poster Dark/Season 01/Dark S01E01-thumb.jpg",
      ]),
    Row(
      testDescription: "no number",
      files: ["Dark/Season 01/Making of.mkv"],
      outline: ["skipped Dark/Season 01/Making of.mkv"]),
    Row(
      testDescription: "notes give an episode without a file",
      files: ["Dark/Season 01/Dark S01E01.mkv", "Dark/Season 01/Dark S01E02.nfo"],
      outline: [
        "series Dark", "  1x01: Dark/Season 01/Dark S01E01.mkv", "  1x02 (Lies):",
      ],
      notes: [
        "Dark/Season 01/Dark S01E02.nfo":
          "<episodedetails><title>Lies</title><season>1</season><episode>2</episode></episodedetails>"
      ]),
    Row(
      testDescription: "notes of film, series and episodes",
      files: [
        "Dune/a.mkv", "Dune/movie.nfo", "Dark/tvshow.nfo", "Dark/Dark S01E01E02.mkv",
        "Dark/Dark S01E01E02.nfo",
      ],
      outline: [
        "film Dune (Arrakis): Dune/a.mkv", "series Dark (Finster)",
        "  1x01 (Eins): Dark/Dark S01E01E02.mkv", "  1x02 (Zwei): Dark/Dark S01E01E02.mkv",
      ],
      notes: [
        "Dune/movie.nfo": "<movie><title>Arrakis</title></movie>",
        "Dark/tvshow.nfo": "<tvshow><title>Finster</title></tvshow>",
        "Dark/Dark S01E01E02.nfo":
          "<episodedetails><title>Eins</title></episodedetails>"
          + "<episodedetails><title>Zwei</title></episodedetails>",
      ]),
    Row(
      testDescription: "notes place an episode that its name does not",
      files: ["Dark/Secrets.mkv", "Dark/Secrets.nfo"],
      outline: ["series Dark", "  1x01 (Secrets): Dark/Secrets.mkv"],
      notes: [
        "Dark/Secrets.nfo":
          "<episodedetails><title>Secrets</title><season>1</season><episode>1</episode></episodedetails>"
      ]),
  ]

  @Test("Files become films", arguments: films)
  func film(row: Row) throws { try check(row) }

  @Test("Files become series and episodes", arguments: series)
  func episode(row: Row) throws { try check(row) }

  private func check(_ row: Row) throws {
    let files = row.files.sorted().map { path in
      let (folder, name) = CatalogPlanner.parts(of: path)
      return FoundFile(
        folder: folder, name: name, kind: FoundKind(name) ?? .sound, byteCount: 1, modified: 1,
        inode: 1)
    }
    var names: CatalogPlanner.Names = [:]
    let notes = try row.notes.mapValues { try NotesReader.read(Array($0.utf8)) }
    let plan = CatalogPlanner.plan(files, notes: notes, rootName: row.rootName, names: &names)
    #expect(PlanOutline(plan).lines == row.outline)
    let again = CatalogPlanner.plan(files, notes: notes, rootName: row.rootName, names: &names)
    #expect(again == plan, "what is remembered of names changes nothing")
  }
}

/// A plan as lines of text.
struct PlanOutline {
  private let plan: CatalogPlan
  private(set) var lines: [String] = []

  init(_ plan: CatalogPlan) {
    self.plan = plan
    for (key, film) in plan.films.sorted(by: { ($0.value.title, $0.key) < ($1.value.title, $1.key) }
    ) {
      let ids = film.ids.byProvider.map { " \($0.key)=\($0.value)" }.joined()
      lines.append(
        "film \(named(film.title, film.year, .film(key)))\(ids): \(media(film.paths))")
      subtitles(film.paths, "  ")
      pictures(.film(key), "  ")
    }
    for (key, series) in plan.series.sorted(by: { $0.key < $1.key }) where !series.episodes.isEmpty
    {
      lines.append("series \(named(series.title, series.year, .series(key)))")
      pictures(.series(key), "  ")
      for season in 0..<10 { pictures(.season(key, season), "  season \(season) ") }
      for (place, episode) in series.episodes.sorted(by: { $0.key < $1.key }) {
        let number = "\(place.season)x" + (place.number < 10 ? "0" : "") + "\(place.number)"
        let title = [episode.title, noted(.episode(key, place))].compactMap { $0 }.map { " " + $0 }
        lines.append(
          ("  " + number + title.joined() + ": " + media(episode.paths)).trimming { $0 == "\n" })
        if lines.last?.hasSuffix(": ") == true { lines[lines.count - 1].removeLast() }
        subtitles(episode.paths, "    ")
        pictures(.episode(key, place), "    ")
      }
    }
    lines += plan.skipped.map { "skipped \($0.path)" }
  }

  private func noted(_ owner: CatalogPlan.Owner) -> String? {
    plan.notes[owner]?.title.map { "(\($0))" }
  }

  private func named(_ title: String, _ year: Int?, _ owner: CatalogPlan.Owner) -> String {
    ([title] + [year.map { "(\($0))" }, noted(owner)].compactMap { $0 }).joined(separator: " ")
  }

  private func media(_ paths: [String]) -> String {
    paths.map { path in
      path + (plan.media[path]?.version.map { " [\($0)]" } ?? "")
    }.joined(separator: ", ")
  }

  private mutating func subtitles(_ paths: [String], _ indent: String) {
    for sidecar in paths.flatMap({ plan.media[$0]?.subtitles ?? [] }) {
      let words = [
        sidecar.name.language?.description, sidecar.format, sidecar.name.isForced ? "forced" : nil,
        sidecar.name.isHearingImpaired ? "hi" : nil, sidecar.path,
      ]
      lines.append(indent + "sub " + words.compactMap { $0 }.joined(separator: " "))
    }
  }

  private mutating func pictures(_ owner: CatalogPlan.Owner, _ indent: String) {
    for (kind, picture) in (plan.artwork[owner] ?? [:]).sorted(by: {
      $0.key.rawValue < $1.key.rawValue
    }) {
      lines.append(indent + "\(kind.rawValue) \(picture.path)")
    }
  }
}
