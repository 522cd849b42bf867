import Foundation
import SiloTestSupport
import Testing

@testable import SiloDownloads

@Suite("Names on the shelf")
struct ShelfTests {
  static let names: [(subject: ShelfName.Subject, path: String)] = [
    (.film(title: "Heat", year: 1995), "Heat (1995)/Heat (1995).mkv"),
    (.film(title: "Heat (1995)", year: 1995), "Heat (1995)/Heat (1995).mkv"),
    (
      .film(title: "Alien: Resurrection?", year: nil), "Alien- Resurrection/Alien- Resurrection.mkv"
    ),
    (.film(title: "../..", year: 2000), "- (2000)/- (2000).mkv"),
    (.film(title: "..", year: 2000), "Untitled (2000)/Untitled (2000).mkv"),
    (.film(title: "con", year: nil), "_con/_con.mkv"),
    (
      .episode(series: "Dark", year: 2017, season: 1, episodes: 2...2, title: "Lügen"),
      "Dark (2017)/Season 01/Dark S01E02 - Lügen.mkv"
    ),
    (
      .episode(series: "A/B", year: nil, season: 0, episodes: 11...12, title: nil),
      "A-B/Season 00/A-B S00E11-E12.mkv"
    ),
    (
      .episode(series: "One", year: 1999, season: 12, episodes: 1000...1000, title: "M"),
      "One (1999)/Season 12/One S12E1000 - M.mkv"
    ),
    (
      .episode(series: "\u{202E}", year: nil, season: -1, episodes: 1...1, title: "\0"),
      "Untitled/Season 00/Series S00E01.mkv"
    ),
  ]

  @Test(
    "a media centre finds films, seasons and episodes by their names", arguments: 0..<names.count)
  func paths(index: Int) {
    let row = Self.names[index]
    #expect(ShelfName(row.subject).path(suffix: "mkv") == row.path)
  }

  @Test(
    "no title is so long that a number, a year or a side file loses its room",
    arguments: [143, 255])
  func long(limit: Int) {
    for text in [String(repeating: "x", count: 400), String(repeating: "語", count: 300)] {
      let film = ShelfName(.film(title: text, year: 1984), nameByteLimit: limit)
      #expect(film.stem.hasSuffix(" (1984)"))
      let episodes = ["Short", text].map {
        ShelfName(
          .episode(series: $0, year: 1984, season: 3, episodes: 7...7, title: text),
          nameByteLimit: limit)
      }
      for name in episodes + [film] {
        for part in name.folders + [name.stem + ".zh-Hant-HK.forced.sdh.srt"] {
          #expect(part.utf8.count <= limit, "\(part)")
        }
        #expect(
          "\(name.stem).mkv".utf8.count + FileName.sideFileByteCount <= limit, "\(name.stem)")
      }
      for name in episodes { #expect(name.stem.contains("S03E07")) }
    }
  }

  @Test("a note is XML whatever a title holds, and says what is known and nothing else")
  func notes() throws {
    var note = NFONote(.episode, title: "Tom & \"Jerry\" <1>\u{0}\u{B}\u{FFFF} 'x' ]]>")
    (note.season, note.episode, note.aired) = (1, 2, "2024-05-31")
    note.plot = "Line one\nÇok güzel 🎬"
    note.identities = ["tvdb": "5", "imdb": "tt1&2"]
    let root = try XMLBranch.root(of: note.text)
    let values = root.branches.map { "\($0.name)=\($0.text)" }
    #expect(root.name == "episodedetails")
    #expect(
      values == [
        "title=Tom & \"Jerry\" <1> 'x' ]]>", "plot=Line one\nÇok güzel 🎬", "season=1", "episode=2",
        "aired=2024-05-31", "uniqueid=tt1&2", "uniqueid=5",
      ])
    let ids = root.branches(named: "uniqueid").map(\.attributes)
    #expect(ids == [["type": "imdb", "default": "true"], ["type": "tvdb"]])
    let film = try XMLBranch.root(of: NFONote(.film, title: "Heat").text)
    #expect(film.name == "movie" && film.branches.map(\.name) == ["title"])
    #expect(NFONote(.series, title: "").text.hasSuffix("<tvshow>\n</tvshow>\n"))
  }
}
