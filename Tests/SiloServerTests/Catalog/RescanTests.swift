import Foundation
import SiloContract
import SiloSystem
import SiloTestSupport
import Synchronization
import Testing

@testable import SiloServer

@Suite("Rescans", .timeLimit(.minutes(5)))
struct RescanTests {
  /// The id of an item, and those of its files.
  struct Identity: Hashable {
    var item: String
    var files: [Int64]
  }

  private func identity(_ title: String, _ catalog: Catalog) throws -> Identity {
    let item = try #require(catalog.contents.item(titled: title), "\(title)")
    return Identity(item: item.contentID, files: item.files)
  }

  @Test("A film keeps its ids when the server starts again")
  func restart() async throws {
    let place = try CatalogFolder()
    try await place.addFilm("Dune (2021).mkv")
    let before = try identity("Dune", try await place.catalog())
    let after = try identity("Dune", try await place.catalog())
    #expect(after == before)
  }

  @Test("A film keeps its ids when its file changes, and what is in it is looked for again")
  func changed() async throws {
    let place = try CatalogFolder()
    try await place.addFilm("Dune (2021).mkv")
    let catalog = try await place.catalog()
    let before = try identity("Dune", catalog)
    try place.remove("Dune (2021).mkv")
    try await Media.make(
      ["-f", "lavfi", "-i", "color=size=320x180:rate=5:duration=1", "Dune (2021).mkv"],
      in: place.folder.path)
    try await catalog.rescan()
    #expect(try identity("Dune", catalog) == before)
    let file = try #require(catalog.contents.files[before.files[0]])
    #expect(file.summary.resolution == "180p")
    #expect(try await catalog.detail(before.item)?.versions.first?.audioTracks == nil)
  }

  struct Renaming: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var path: String
    var moved: (from: String, to: String)
    var titles: (before: String, after: String)
  }

  @Test(
    "What is renamed keeps its ids",
    arguments: [
      Renaming(
        testDescription: "a file within its item", path: "Dune (2021)/Dune (2021).mkv",
        moved: ("Dune (2021)/Dune (2021).mkv", "Dune (2021)/Dune (2021) - 2160p.mkv"),
        titles: ("Dune", "Dune")),
      Renaming(
        testDescription: "a film", path: "Dnue (2021).mkv",
        moved: ("Dnue (2021).mkv", "Dune (2021).mkv"), titles: ("Dnue", "Dune")),
      Renaming(
        testDescription: "the folder of a series", path: "Dark/Season 01/S01E01 Secrets.mkv",
        moved: ("Dark", "Dark (2017)"), titles: ("Dark", "Dark")),
      Renaming(
        testDescription: "the folder of a series, for its episodes",
        path: "Dark/Season 01/S01E01 Secrets.mkv", moved: ("Dark", "Finster (2017)"),
        titles: ("Secrets", "Secrets")),
    ])
  func renamed(row: Renaming) async throws {
    let place = try CatalogFolder()
    try await place.addFilm(row.path)
    let catalog = try await place.catalog()
    let before = try identity(row.titles.before, catalog)
    try place.move(row.moved.from, to: row.moved.to)
    try await catalog.rescan()
    #expect(try identity(row.titles.after, catalog) == before)
    let again = try await place.catalog()
    #expect(try identity(row.titles.after, again) == before, "after a restart")
  }

  @Test("A new film under the old name of another one gets ids of its own")
  func replaced() async throws {
    let place = try CatalogFolder()
    try await place.addFilm("Alien (1979).mkv", number: 1)
    let catalog = try await place.catalog()
    let first = try identity("Alien", catalog)
    try place.move("Alien (1979).mkv", to: "Aliens (1986).mkv")
    try await catalog.rescan()
    try await place.addFilm("Alien (1979).mkv", number: 2)
    try await catalog.rescan()
    #expect(try identity("Aliens", catalog) == first)
    let second = try identity("Alien", catalog)
    #expect(second.item != first.item)
    #expect(second.files != first.files)
  }

  @Test("What vanishes goes, and has its ids again when it is back")
  func vanished() async throws {
    let place = try CatalogFolder()
    try await place.addFilm("Dune (2021).mkv", number: 1)
    try await place.addFilm("Heat (1995).mkv", number: 2)
    let catalog = try await place.catalog()
    let before = try identity("Dune", catalog)
    try place.move("Dune (2021).mkv", to: ".away")
    try await catalog.rescan()
    #expect(catalog.contents.shelf == ["Heat"])
    #expect(catalog.contents.files[before.files[0]] == nil)
    try place.move(".away", to: "Dune (2021).mkv")
    let again = try await place.catalog()
    #expect(try identity("Dune", again) == before)
  }

  @Test("A folder that is away takes nothing with it")
  func folderAway() async throws {
    let place = try CatalogFolder()
    try await place.addFilm("media/Dune (2021).mkv")
    let catalog = try Catalog(
      try MediaFolder(URL(filePath: place.folder.path("media"))), database: nil)
    try await catalog.rescan()
    try place.move("media", to: "away")
    await #expect(throws: SystemCallError.self) { try await catalog.rescan() }
    #expect(catalog.contents.shelf == ["Dune"])
    try place.move("away", to: "media")
    try await catalog.rescan()
    #expect(catalog.contents.shelf == ["Dune"])
  }

  @Test("What was found in a file is not looked for again while its length and time stay")
  func remembered() async throws {
    let place = try CatalogFolder()
    try await place.addFilm("Dune (2021).mkv")
    let before = try await place.catalog()
    let path = place.folder.path("Dune (2021).mkv")
    let time = try #require(
      try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date)
    let whole = Date(timeIntervalSince1970: time.timeIntervalSince1970.rounded(.down))
    try FileManager.default.setAttributes([.modificationDate: whole], ofItemAtPath: path)
    try await before.rescan()
    let count = try place.folder.read("Dune (2021).mkv").count
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    try file.write(contentsOf: Data(repeating: 7, count: count))
    try file.close()
    try FileManager.default.setAttributes([.modificationDate: whole], ofItemAtPath: path)
    let after = try await place.catalog()
    #expect(after.contents.files == before.contents.files)
    #expect(after.contents.shelf == ["Dune"])
  }

  @Test("A database that is damaged is set aside, and ids are the same again")
  func damaged() async throws {
    let place = try CatalogFolder()
    try await place.addFilm("Dune (2021).mkv")
    let before = try identity("Dune", try await place.catalog())
    for name in try place.data.names() where name != "catalog.sqlite" {
      try FileManager.default.removeItem(atPath: place.data.path(name))
    }
    try place.data.write("catalog.sqlite", "this is no database, whatever else it may be")
    let after = try identity("Dune", try await place.catalog())
    #expect(after.item == before.item)
    #expect(try place.data.names().contains("catalog.sqlite.damaged"))
  }

  @Test("What appears and vanishes is noticed without being told")
  func watched() async throws {
    let place = try CatalogFolder()
    try await place.addFilm("Heat (1995).mkv")
    let catalog = try Catalog(try MediaFolder(place.folder.url), database: nil)
    // Each pause is handed to the test, which ends it.
    let (pauses, hand) = AsyncStream.makeStream(
      of: (Duration, CheckedContinuation<Void, Never>).self)
    catalog.startWatching { duration in
      await withCheckedContinuation { hand.yield((duration, $0)) }
      try Task.checkCancellation()
    }
    var passes = pauses.makeAsyncIterator()
    var (pause, go) = try #require(await passes.next())
    #expect(catalog.contents.shelf == ["Heat"])
    #expect(pause <= .seconds(15))
    try await place.addFilm("Dune (2021).mkv", number: 1)
    go.resume()
    (pause, go) = try #require(await passes.next())
    #expect(catalog.contents.shelf == ["Dune", "Heat"])
    try place.remove("Heat (1995).mkv")
    go.resume()
    (pause, go) = try #require(await passes.next())
    #expect(catalog.contents.shelf == ["Dune"])
    async let stopped: Void = catalog.stopWatching()
    go.resume()
    await stopped
  }
}
