import Foundation
import SiloContract
import SiloMedia
import SiloTestSupport
import Testing

@testable import SiloServer

@Suite("The catalog", .timeLimit(.minutes(5)))
struct CatalogTests {
  @Test("A film is known with its files, tracks, chapters, subtitles and pictures")
  func film() async throws {
    let place = try CatalogFolder()
    try await place.addFilm("Dune (2021) [tmdbid-438631]/Dune (2021).mkv")
    try place.folder.write("Dune (2021) [tmdbid-438631]/Dune (2021).tr.forced.srt", "1\n")
    try place.folder.write("Dune (2021) [tmdbid-438631]/poster.jpg", "picture")
    try place.folder.write(
      "Dune (2021) [tmdbid-438631]/Dune (2021).nfo",
      "<movie><title>Dune: Part One</title><plot>Sand.</plot><mpaa>PG-13</mpaa>"
        + "<genre>Drama</genre><runtime>155</runtime><uniqueid type='imdb'>tt1160419</uniqueid></movie>"
    )
    let catalog = try await place.catalog()
    let item = try #require(catalog.contents.item(titled: "Dune: Part One"))
    let detail = try #require(try await catalog.detail(item.contentID))
    #expect(detail.type == .movie)
    #expect(detail.year == 2021)
    #expect(detail.overview == "Sand.")
    #expect(detail.contentRating == "PG-13")
    #expect(detail.genres == ["Drama"])
    #expect(detail.runtimeMinutes == 155)
    #expect(detail.imdbID == "tt1160419")
    #expect(detail.tmdbID == "438631")
    #expect(detail.posterURL == "/api/v1/catalog/items/\(item.contentID)/artwork/poster")

    let version = try #require(detail.versions.first)
    #expect(detail.versions.count == 1)
    #expect(version.fileID.number > 0)
    #expect(version.fileName == "Dune (2021).mkv")
    #expect(version.container == "mkv")
    #expect(version.videoCodec == "h264")
    #expect(version.audioCodec == "aac")
    #expect(version.resolution == "90p")
    #expect(version.isHDR == false)
    #expect(version.audioTracks?.map(\.language) == ["tr", "en", "de", "ja", "en", "en"])
    #expect(version.audioTracks?.map(\.title) == Film.audioTitles)
    #expect(version.audioTracks?.map(\.isDefault) == [true, false, false, false, false, false])
    #expect(version.audioTracks?[1].codec == "ac3")
    #expect(version.audioTracks?[1].channels == 6)
    #expect(version.effectiveAudioTrackIndex == 0)
    #expect(version.effectiveAudioLanguage == "tr")
    #expect(version.subtitleTracks?.map(\.language) == ["tr", "en", "tr"])
    #expect(version.subtitleTracks?.map(\.isExternal) == [false, false, true])
    #expect(version.chapters?.first?.title == "Opening")
    let bytes = try place.folder.read("Dune (2021) [tmdbid-438631]/Dune (2021).mkv")
    #expect(version.fileSize == Int64(bytes.count))
    let seconds = try #require(version.durationSeconds)
    #expect(abs(seconds - 4) < 0.5)

    #expect(detail.subtitles.map(\.source) == ["embedded", "embedded", "external"])
    #expect(detail.subtitles.map(\.language) == ["tr", "en", "tr"])
    #expect(detail.subtitles.map(\.isForced) == [false, true, true])
    #expect(detail.subtitles.map(\.codec) == ["subrip", "subrip", "srt"])
    let file = try #require(catalog.contents.files[version.fileID.number])
    #expect(file.openSubtitlesHash == Self.openSubtitlesHash(bytes))
    #expect(catalog.open(file.path)?.byteCount == Int64(bytes.count))
    #expect(catalog.open(file.subtitles[0].path)?.byteCount == 2)
  }

  @Test("A file too short for a hash has none")
  func shortFile() async throws {
    let place = try CatalogFolder()
    try await Media.make(
      ["-f", "lavfi", "-i", "color=size=64x64:rate=5:duration=1", "Tiny.mp4"],
      in: place.folder.path)
    let catalog = try await place.catalog()
    let file = try #require(catalog.contents.files.values.first)
    #expect(file.byteCount < 131_072)
    #expect(file.openSubtitlesHash == nil)
    let version = try #require(try await catalog.detail(file.ownerID)?.versions.first)
    #expect(version.container == "mp4")
    #expect(version.audioTracks == nil)
    #expect(version.audioCodec == nil)
    #expect(version.effectiveAudioTrackIndex == nil)
  }

  @Test("A series is known with seasons and episodes, those without a file too")
  func series() async throws {
    let place = try CatalogFolder()
    try await place.addFilm("Dark (2017)/Season 01/Dark S01E01 Secrets.mkv", number: 1)
    try await place.addFilm("Dark (2017)/Season 01/Dark S01E02E03 Lies.mkv", number: 2)
    try await place.addFilm("Dark (2017)/Specials/Dark S00E01.mkv", number: 3)
    try place.folder.write("Dark (2017)/season01-poster.jpg", "one")
    try place.folder.write("Dark (2017)/fanart.jpg", "wide")
    try place.folder.write("Dark (2017)/tvshow.nfo", "<tvshow><plot>Caves.</plot></tvshow>")
    try place.folder.write(
      "Dark (2017)/Season 01/Dark S01E04.nfo",
      "<episodedetails><title>Lost</title><season>1</season><episode>4</episode>"
        + "<aired>2017-12-01</aired></episodedetails>")
    let catalog = try await place.catalog()
    let contents = catalog.contents
    let series = try #require(contents.item(titled: "Dark"))
    #expect(series.kind == .series)
    let detail = try #require(try await catalog.detail(series.contentID))
    #expect(detail.seasonCount == 2)
    #expect(detail.overview == "Caves.")
    #expect(detail.versions.isEmpty)

    let seasons = try #require(catalog.seasons(of: series.contentID)?.seasons)
    #expect(seasons.map(\.seasonNumber) == [0, 1])
    #expect(seasons.map(\.title) == ["Specials", "Season 1"])
    #expect(seasons.map(\.isSpecials) == [true, nil])
    #expect(seasons.map(\.episodeCount) == [1, 4])
    #expect(seasons[1].contentID == "\(series.contentID)-S01")
    #expect(try await catalog.detail(seasons[1].contentID)?.type == .season)
    #expect(catalog.season(1, of: series.contentID)?.season == seasons[1])
    #expect(catalog.season(7, of: series.contentID) == nil)

    let episodes = try #require(catalog.episodes(1, of: series.contentID)?.episodes)
    #expect(episodes.map(\.episodeNumber) == [1, 2, 3, 4])
    #expect(episodes.map(\.title) == ["Secrets", "Lies", "Lies", "Lost"])
    #expect(episodes.map { $0.files?.count } == [1, 1, 1, nil])
    #expect(episodes[1].files?.first?.fileID == episodes[2].files?.first?.fileID)
    #expect(episodes[3].airDate == "2017-12-01")
    #expect(catalog.episodes(9, of: series.contentID) == nil)

    let first = try #require(try await catalog.detail(episodes[0].contentID))
    #expect(first.type == .episode)
    #expect(first.seriesID == series.contentID)
    #expect(first.seriesTitle == "Dark")
    #expect(first.seasonNumber == 1)
    #expect(first.episodeNumber == 1)
    #expect(catalog.artworkPath(.poster, of: first.contentID) == "Dark (2017)/season01-poster.jpg")
    #expect(catalog.artworkPath(.backdrop, of: first.contentID) == "Dark (2017)/fanart.jpg")
    #expect(catalog.artworkPath(.logo, of: first.contentID) == nil)

    // A file with two episodes is the first one's.
    let shared = try #require(episodes[2].files?.first?.fileID.number)
    let owner = try #require(contents.files[shared].flatMap { contents.owner(of: $0) })
    #expect(owner.item.contentID == episodes[1].contentID)
    #expect(owner.series?.contentID == series.contentID)
  }

  @Test("Two versions of a film: the one with the most picture first")
  func versions() async throws {
    let place = try CatalogFolder()
    try await place.addFilm("Dune (2021)/Dune (2021) - 1080p.mkv")
    try await Media.make(
      ["-f", "lavfi", "-i", "color=size=320x180:rate=5:duration=1", "Dune (2021) - 2160p.mkv"],
      in: place.folder.path("Dune (2021)"))
    let catalog = try await place.catalog()
    let item = try #require(catalog.contents.item(titled: "Dune"))
    let detail = try #require(try await catalog.detail(item.contentID))
    #expect(detail.versions.map(\.resolution) == ["180p", "90p"])
    #expect(Set(detail.versions.map(\.fileID)).count == 2)
    #expect(catalog.contents.files(of: item).map(\.version) == ["2160p", "1080p"])
  }

  @Test("What is no media, leads outside or cannot be read is skipped with a reason")
  func skipped() async throws {
    let place = try CatalogFolder()
    let elsewhere = try TemporaryFolder()
    try await place.addFilm("Dune (2021).mkv")
    let folder = place.folder
    try folder.write("Text (2000).mkv", "this is no film")
    try folder.write("Empty (2000).mkv", "")
    try folder.write("read me.txt", "text")
    try folder.write("Song.mp3", "la")
    try folder.write("Dune (2021).nfo", "<movie><title>broken")
    try folder.write("Away/.ignore", "")
    try await place.addFilm("Away/Gone (2001).mkv")
    try elsewhere.write("Outside (2002).mkv", "x")
    let links = FileManager.default
    try links.createSymbolicLink(
      atPath: folder.path("Outside (2002).mkv"),
      withDestinationPath: elsewhere.path("Outside (2002).mkv"))
    try links.createSymbolicLink(
      atPath: folder.path("Nowhere (2003).mkv"), withDestinationPath: folder.path("nothing"))
    try links.createSymbolicLink(atPath: folder.path("Loop"), withDestinationPath: folder.path)
    try #require(mkfifo(folder.path("Pipe (2004).mkv"), 0o600) == 0)

    let catalog = try await place.catalog()
    #expect(catalog.contents.shelf == ["Dune"])
    let reasons = Dictionary(
      catalog.contents.skipped.map { ($0.path, $0.reason) }, uniquingKeysWith: { $1 })
    let expected = [
      "Away": "it has a file .ignore",
      "Dune (2021).nfo": "it is no well-formed XML (line 1)",
      "Empty (2000).mkv": "The file is empty. Fetch it again, or ask for another address.",
      "Loop": "it is a link to a folder that is here already",
      "Nowhere (2003).mkv": "its link leads nowhere",
      "Outside (2002).mkv": "it leads outside the folder",
      "Pipe (2004).mkv": "it is no regular file",
      "read me.txt": "it is no media",
      "Song.mp3": "it has no pictures: it is served as a file and part of no film",
    ]
    for (path, reason) in expected { #expect(reasons[path] == reason, "\(path)") }
    #expect(reasons["Text (2000).mkv"] != nil)
    #expect(reasons.count == expected.count + 1)
  }

  /// The length and the sums of both ends, worked out byte by byte.
  private static func openSubtitlesHash(_ bytes: [UInt8]) -> String {
    var sum = UInt64(bytes.count)
    for window in [bytes.prefix(65_536), bytes.suffix(65_536)] {
      for (index, byte) in window.enumerated() { sum &+= UInt64(byte) << UInt64(index % 8 * 8) }
    }
    let digits = String(sum, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
