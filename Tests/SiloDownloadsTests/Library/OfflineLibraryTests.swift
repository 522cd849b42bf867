import Foundation
import Glibc
import SiloMedia
import SiloStore
import SiloSystem
import SiloTestSupport
import Testing

@testable import SiloDownloads

@Suite("The library")
struct OfflineLibraryTests {
  private let folder: TemporaryFolder
  private let library: OfflineLibrary

  init() throws {
    folder = try TemporaryFolder()
    library = OfflineLibrary(home: folder.url.appending(path: "home", directoryHint: .isDirectory))
  }

  private var queue: DownloadQueue { library.queue }

  /// A finished film at `name`, as a download leaves it; returns its id.
  private func finish(_ name: String, of source: String = "http://h/film.mkv") async throws
    -> String
  {
    var request = DownloadRequest(source: source)
    request.output = folder.path(name)
    let booking = await queue.book([request])[0]
    let url = folder.url.appending(path: name)
    let files = FinishedFiles(store: queue.store)
    _ = await queue.carryOut(booking) { events in
      events(.placed(url))
      try folder.write(name, "film \(name)")
      _ = try await files.record(
        url, from: url, sha256: "00", source: source, selection: "as-stored",
        by: booking.id.flatMap { Int64($0) })
      return FinishedDownload(
        path: url, byteCount: 5, sha256: "00", inventory: MediaInventory(kind: .file), verified: [])
    }
    return try #require(booking.id)
  }

  @Test("an entry has the id that its download had, and says when its file is not what it was")
  func entries() async throws {
    let ids = [try await finish("a/one.mkv"), try await finish("b/two.mkv")]
    let entries = try await library.entries()
    #expect(entries.map(\.id) == ids && entries.map(\.title) == ["one", "two"])
    #expect(entries.map(\.condition) == [.finished, .finished])
    // What was asked for at once is not in the list of the queue when it is done.
    #expect(try await queue.items().isEmpty)
    try folder.write("a/one.mkv", "another")
    try FileManager.default.removeItem(atPath: folder.path("b/two.mkv"))
    #expect(try await library.entries().map(\.condition) == [.changed, .missing])
    #expect(try await library.verify(entries[1]).faults.map(\.kind) == [.missing])
    await #expect(throws: DownloadError.self) { try await library.entries(["99"]) }
  }

  @Test("removal takes the file, what lies beside it and the folders that were made for it")
  func removal() async throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("shelf"), withIntermediateDirectories: true)
    let first = try await finish("shelf/Series/Season 01/1.mkv")
    let second = try await finish("shelf/Series/Season 01/2.mkv", of: "http://h/2.mkv")
    for name in ["1.mkv.part", "1.mkv.part.journal", "1.mkv.parts/0.spool"] {
      try folder.write("shelf/Series/Season 01/\(name)", "left")
    }
    let removals = try await library.remove([first])
    #expect(removals[0].freedByteCount > 0)
    #expect(
      try folder.names().filter { $0.hasPrefix("shelf") } == [
        "shelf", "shelf/Series", "shelf/Series/Season 01", "shelf/Series/Season 01/2.mkv",
      ])
    try folder.write("shelf/Series/mine.txt", "mine")
    _ = try await library.remove([second])
    #expect(
      try folder.names().filter { $0.hasPrefix("shelf") } == [
        "shelf", "shelf/Series", "shelf/Series/mine.txt",
      ])
    #expect(try await library.entries().isEmpty)
    let third = try await finish("shelf/Other/3.mkv")
    _ = try await library.remove([third])
    // The one above was there before.
    #expect(try !folder.names().contains("shelf/Other") && folder.names().contains("shelf"))
  }

  @Test("what a series has goes with its last file, also when that was another item's before")
  func replaced() async throws {
    let name = "shelf/Series/Season 01/1.mkv"
    let first = try await finish(name)
    let second = try await finish(name, of: "http://h/other.mkv")
    #expect(first != second)
    #expect(try await library.entries().map(\.id) == [second])
    let path = try folder.write("shelf/Series/tvshow.nfo", "note")
    let facts = try #require(FileFacts(path))
    let note = Sidecar(
      path: path, owner: Sidecar.Owner.series(folder.path("shelf/Series")).text, kind: .note,
      version: "", byteCount: facts.byteCount, modified: facts.modified)
    try await queue.store.write { try SidecarTable.store(note, in: $0) }
    // Its bytes are not free again while they have another name.
    #expect(link(path, folder.path("other name")) == 0)
    let film = FileSystem.allocatedByteCount(of: folder.path(name))
    let removals = try await library.remove([second])
    #expect(removals.map(\.freedByteCount) == [film])
    let left = try folder.names().filter { $0.hasPrefix("shelf") }
    #expect(left == [], "\(left)")
  }

  @Test("a file that somebody changed is kept unless he says otherwise, and so are all the others")
  func changed() async throws {
    let ids = [try await finish("one.mkv"), try await finish("two.mkv")]
    try folder.write("two.mkv", "mine now")
    await #expect(throws: DownloadError.self) { try await library.remove(ids) }
    #expect(try await library.entries().count == 2)
    _ = try await library.remove(ids, force: true)
    #expect(try folder.names().filter { $0.hasSuffix(".mkv") }.isEmpty)
  }

  @Test("removing what runs stops it and takes what arrived")
  func running() async throws {
    var request = DownloadRequest(source: "http://h/film.mkv")
    request.output = folder.path("new/film.mkv")
    let booking = await queue.book([request])[0]
    let id = try #require(booking.id)
    let url = folder.url.appending(path: "new/film.mkv")
    let (placed, place) = AsyncStream.makeStream(of: Void.self)
    let store = queue.store
    let download = Task {
      await queue.carryOut(booking) { events in
        try await store.write {
          try UnfinishedFileTable.store(url.path, of: "source", by: Int64(id), in: $0)
        }
        events(.placed(url))
        events(.phase(.transferring))
        try folder.write("new/film.mkv.part", "some")
        try folder.write("new/film.mkv.part.journal", "some")
        place.yield()
        try await Task.sleep(for: .seconds(3600))
        return nil
      }
    }
    for await _ in placed { break }
    _ = try await library.remove([id])
    guard case .withdrawn = await download.value else {
      Issue.record("it was not withdrawn")
      return
    }
    #expect(try folder.names().filter { $0.hasPrefix("new") }.isEmpty)
    #expect(try await queue.item(id) == nil)
  }

  @Test("storage counts every item, what is to come, and what belongs to none")
  func storage() async throws {
    let id = try await finish("shelf/one.mkv")
    try folder.write("shelf/gone.mkv.part", String(repeating: "x", count: 9000))
    try folder.write("shelf/gone.mkv.part.journal", "j")
    try folder.write("shelf/foreign.part", "not ours")
    let use = try await library.storage()
    #expect(use.items.map(\.id) == [id] && use.byteCount == use.items[0].byteCount)
    #expect(use.byteCount > 0 && use.freeByteCount ?? 0 > 0)
    #expect(
      use.orphans.map(\.path)
        == ["gone.mkv.part", "gone.mkv.part.journal"].map {
          folder.path("shelf/\($0)")
        })
    #expect(use.orphans[0].byteCount >= 9000)
  }

  @Test("a file that was finished before there were ids gets one")
  func adopted() async throws {
    let url = folder.url.appending(path: "old.mkv")
    try folder.write("old.mkv", "film")
    _ = try await FinishedFiles(store: queue.store).record(
      url, from: url, sha256: "00", source: "http://h/old.mkv", selection: "as-stored",
      by: nil)
    let entries = try await library.entries()
    #expect(entries.map(\.title) == ["old"])
    #expect(try await library.entries() == entries)
    _ = try await library.remove(entries.map(\.id))
    #expect(try await library.entries().isEmpty)
  }

  @Test("an export is another name of the same file, and never takes another file's place")
  func export() async throws {
    _ = try await finish("shelf/one.mkv")
    let entry = try #require(try await library.entries().first)
    let target = folder.url.appending(path: "stick/films", directoryHint: .isDirectory)
    #expect(try await !library.export(entry, to: target).wasThere)
    #expect(try folder.read("stick/films/one.mkv") == folder.read("shelf/one.mkv"))
    #expect(try await library.export(entry, to: target).wasThere)
    try FileManager.default.removeItem(atPath: folder.path("stick/films/one.mkv"))
    try folder.write("stick/films/one.mkv", "another film")
    await #expect(throws: DownloadError.self) {
      _ = try await library.export(entry, to: target)
    }
    #expect(try folder.read("stick/films/one.mkv") == Array("another film".utf8))
  }

  @Test(
    "of what is no file any more all say that the file is missing, and it is kept",
    arguments: ["nothing", "folder", "fifo"])
  func replaced(_ kind: String) async throws {
    let id = try await finish("shelf/one.mkv")
    let path = folder.path("shelf/one.mkv")
    try FileManager.default.removeItem(atPath: path)
    if kind == "folder" { try folder.write("shelf/one.mkv/mine.txt", "mine") }
    if kind == "fifo" { #expect(mkfifo(path, 0o600) == 0) }
    let entry = try #require(try await library.entries().first)
    #expect(entry.condition == .missing)
    let shown = await #expect(throws: DownloadError.self) { try await library.inventory(of: entry) }
    #expect(shown?.code == .notFound)
    let target = folder.url.appending(path: "stick", directoryHint: .isDirectory)
    let export = await #expect(throws: DownloadError.self) {
      _ = try await library.export(entry, to: target)
    }
    #expect(export?.code == .notFound)
    #expect(try await library.verify(entry).faults.map(\.kind) == [.missing])
    let removal = try #require(try await library.remove([id]).first)
    #expect(removal.warnings.isEmpty == (kind == "nothing"))
    #expect(try await library.entries().isEmpty)
    #expect(SidecarDisk.exists(path) == (kind != "nothing"))
  }

  @Test("only what was finished is exported")
  func exportOfChanged() async throws {
    _ = try await finish("one.mkv")
    let entry = try #require(try await library.entries().first)
    let target = folder.url.appending(path: "stick", directoryHint: .isDirectory)
    // Moved by its owner, who left a link: the file is exported, not the link.
    try FileManager.default.moveItem(
      atPath: folder.path("one.mkv"), toPath: folder.path("moved.mkv"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("one.mkv"), withDestinationPath: folder.path("moved.mkv"))
    _ = try await library.export(entry, to: target)
    var facts = stat()
    #expect(lstat(folder.path("stick/one.mkv"), &facts) == 0)
    #expect(facts.st_mode & S_IFMT == S_IFREG && facts.st_size > 0)
    try FileManager.default.removeItem(atPath: folder.path("stick/one.mkv"))
    try folder.write("moved.mkv", "")
    let error = await #expect(throws: DownloadError.self) {
      _ = try await library.export(entry, to: target)
    }
    #expect(error?.code == .integrity)
    #expect(try !folder.names().contains("stick/one.mkv"))
  }

  @Test("a file of the user that has the name of one of ours is kept")
  func foreign() async throws {
    let path = folder.path("film.mkv")
    try folder.write("film.mkv.part.lock", "mine")
    #expect(throws: DownloadError.self) {
      _ = try OutputLock.take(path + ".part.lock", of: path, by: "source")
    }
    let note = FinishedFileNote(of: URL(filePath: path))
    try folder.write("film.mkv.part.finished", "mine")
    note.remove()
    let file = FinishedFile(
      path: path, byteCount: 1, modified: 1, sha256: "00", source: "s", selection: "-")
    #expect(throws: DownloadError.self) { try note.write(file) }
    #expect(try folder.names().filter { !$0.hasPrefix("home") }.count == 2)
    try FileManager.default.removeItem(atPath: note.path)
    try note.write(file)
    try note.write(file)
    #expect(note.read(of: URL(filePath: path)) == file)
    note.remove()
    #expect(try folder.names() == ["film.mkv.part.lock"])
  }
}
