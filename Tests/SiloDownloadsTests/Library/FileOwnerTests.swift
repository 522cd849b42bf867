import Foundation
import SiloMedia
import SiloStore
import SiloTestSupport
import Testing

@testable import SiloDownloads

@Suite("Owners of files")
struct FileOwnerTests {
  private let folder: TemporaryFolder
  private let store: StateStore

  init() throws {
    folder = try TemporaryFolder()
    store = StateStore(home: folder.url.appending(path: "home", directoryHint: .isDirectory))
  }

  private func item(_ id: Int64, _ source: String, _ state: String, _ path: String, _ bytes: Int)
    -> String
  {
    "INSERT INTO item (id, key, source, state, path, byte_count) VALUES "
      + "(\(id), 'key \(id)', '\(source)', '\(state)', '\(path)', \(bytes));"
  }

  @Test("a database of before gets the owners that can be told, and no others")
  func migration() async throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("home"), withIntermediateDirectories: true)
    do {
      let connection = try Connection.open(store.path)
      try connection.migrate(Array(StateStore.migrations.prefix { $0 != FileOwnerTable.migration }))
      let finished = { (path: String, source: String) in
        "INSERT INTO finished_file VALUES ('\(path)', 1, 1, '00', '\(source)', '-');"
      }
      try connection.execute(
        [
          // Kept against another source; replaced by another source; the query is no part of an item's source.
          item(1, "a", "finished", "/o", 1), item(2, "b", "failed", "/o", 0), finished("/o", "a"),
          item(3, "a", "finished", "/p", 1), item(4, "b", "finished", "/p", 1),
          finished("/p", "b #12"),
          // Nobody knows which of the two.
          item(5, "a", "finished", "/q", 1), item(6, "b", "finished", "/q", 1),
          finished("/q", "c"),
          item(7, "a", "finished", "/r", 1), item(8, "b", "waiting", "/r", 0),
          finished("/r", "A"),
          item(10, "a", "paused", "/s", 9), item(11, "b", "waiting", "/s", 0),
          item(12, "a", "paused", "/t", 9), item(13, "b", "failed", "/t", 9),
          "INSERT INTO unfinished_file (path, source) VALUES ('/t', 'a'), ('/gone', 'a');",
        ].joined(separator: "\n"))
    }
    let owners = try await store.read { connection in
      try ["finished_file", "unfinished_file"].map { table in
        try connection.rows("SELECT path, item FROM \(table) ORDER BY path").map { row in
          guard case .text(let path) = row[0] else { return "" }
          if case .integer(let item) = row[1] { return "\(path) \(item)" }
          return path
        }
      }
    }
    #expect(owners == [["/o 1", "/p 4", "/q", "/r 7"], ["/gone", "/s 10", "/t"]])
    // Each file is listed under an id of its own all the same.
    let library = OfflineLibrary(home: folder.url.appending(path: "home"))
    let entries = try await library.entries()
    #expect(entries.map(\.url.path) == ["/o", "/p", "/r", "/q"])
    #expect(entries.map(\.id).prefix(3) == ["1", "4", "7"])
    #expect(try await library.entries() == entries)
  }

  @Test("what an item made before under another name is an entry of its own")
  func renamed() async throws {
    let library = OfflineLibrary(home: folder.url.appending(path: "home"))
    let files = FinishedFiles(store: store)
    let booking = await library.queue.book([DownloadRequest(source: "http://h/film.mkv")])[0]
    let number = try #require(booking.id.flatMap { Int64($0) })
    for name in ["film.mkv", "film.mp4"] {
      let url = folder.url.appending(path: name)
      _ = await library.queue.carryOut(booking) { events in
        events(.placed(url))
        try folder.write(name, name)
        _ = try await files.record(
          url, from: url, sha256: "00", source: "http://h/film.mkv", selection: name, by: number)
        return nil
      }
    }
    let entries = try await library.entries()
    #expect(Set(entries.map(\.title)) == ["film"] && Set(entries.map(\.id)).count == 2)
    #expect(entries.first { $0.url.lastPathComponent == "film.mp4" }?.id == booking.id)
    _ = try await library.remove(["\(number)"])
    #expect(try folder.names().contains("film.mkv"))
    #expect(try await library.entries().map(\.url.lastPathComponent) == ["film.mkv"])
  }

  @Test("a note beside a file names no item of another database")
  func note() async throws {
    try folder.write("home", "a file where the folder belongs")
    let url = folder.url.appending(path: "film.mkv")
    try folder.write("film.mkv", "film")
    let files = FinishedFiles(store: store)
    _ = try await files.record(
      url, from: url, sha256: "00", source: "http://h/film.mkv", selection: "-", by: 1)
    try FileManager.default.removeItem(atPath: folder.path("home"))
    let library = OfflineLibrary(home: folder.url.appending(path: "home"))
    _ = try await library.queue.add([DownloadRequest(source: "http://h/other.mkv")])
    #expect(try await files.record(of: url)?.sha256 == "00")
    let entry = try #require(try await library.entries().first)
    #expect(entry.id != "1" && entry.source == "http://h/film.mkv")
  }
}
