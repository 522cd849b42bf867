import Foundation
import SiloMedia
import SiloStore
import SiloTestSupport
import Synchronization
import Testing

@testable import SiloDownloads

@Suite("Rows of the queue")
struct QueueRowsTests {
  @Test(
    "a row of nonsense is damaged and can be removed, or what is nonsense in it is not known",
    arguments: [
      ("state = 'transferring', attempt = 9223372036854775807, expected = -5", true),
      ("attempt = -1", true), ("attempt = 9223372036854775807", true), ("state = 'odd'", true),
      ("path = 'relative/film.mkv'", true), ("expected = -5, byte_count = -7", false),
      ("not_before = -9223372036854775808", false), ("failure_count = 9223372036854775807", false),
      ("expected = 9223372036854775807, state = 'preparing'", false), ("wish = x'7b'", nil),
    ])
  func nonsense(_ change: String, isDamaged: Bool?) async throws {
    let bench = try QueueBench()
    try await bench.add("http://h/a", "http://h/b")
    try bench.connection().execute("UPDATE item SET \(change) WHERE id = 1")
    let library = OfflineLibrary(home: URL(filePath: bench.queue.home))
    _ = try await library.storage()
    let item = try #require(try await bench.queue.items().first)
    #expect(item.isDamaged == (isDamaged == true) && item.byteCount >= 0)
    #expect(item.expectedByteCount ?? 0 >= 0)
    let ended = try await bench.run { source, _ in
      if source.hasSuffix("a") { throw DownloadError(.space, "full") }
      return QueueBench.finished
    }
    #expect(ended.sorted() == (isDamaged == true ? [] : ["1 failed"]) + ["2 finished"])
    #expect(try await bench.queue.remove(["1"]).count == 1)
    #expect(try await bench.queue.items().map(\.id) == ["2"])
  }

  @Test("removal is of all or none, and goes on where one of before was killed")
  func removal() async throws {
    let bench = try QueueBench()
    let queue = bench.queue
    for n in 0..<5 { try await bench.add("http://h/\(n)") }
    for ids in [["1", "77"], ["1", "0"], ["1", "-1"], ["1", "x"]] {
      await #expect(throws: DownloadError.self) { try await queue.remove(ids) }
    }
    #expect(try await bench.states().count == 5)
    #expect(try await queue.remove(["1", "2"]).map(\.item.id) == ["1", "2"])
    #expect(try await queue.remove(["1", "2", "3"]).map(\.item.id) == ["3"])
    await #expect(throws: DownloadError.self) { try await queue.remove(["1", "2"]) }
    // Begun, and killed while its files were removed.
    try bench.folder.write("out/4.mkv.part", "some")
    try bench.folder.write("out/4.mkv.part.journal", "some")
    let path = bench.folder.path("out/4.mkv")
    try await queue.change { connection in
      try UnfinishedFileTable.store(path, of: "http://h/3", by: 4, in: connection)
      try ItemTable.enter(.cancelled, 4, in: connection)
    }
    let use = try await OfflineLibrary(home: URL(filePath: queue.home)).storage()
    #expect(use.items.map(\.id) == ["4"] && use.byteCount > 0)
    #expect(try await queue.removeAll(.cancelled).map(\.item.id) == ["4"])
    #expect(try bench.folder.names().filter { $0.hasPrefix("out/") }.isEmpty)
    #expect(try await queue.removeAll(.failed).isEmpty)
    #expect(try await bench.states() == ["5": .waiting])
  }

  @Test("room that is missing now may come: the item waits; a budget that is exceeded does not")
  func room() async throws {
    let bench = try QueueBench()
    try await bench.add("http://h/a", "http://h/b")
    _ = try await bench.run { source, _ in
      throw MediaError(source.hasSuffix("a") ? .noSpace : .overBudget, "too large")
    }
    #expect(try await bench.states() == ["1": .waiting, "2": .failed])
  }

  @Test(
    "a state that cannot be reached is not an empty one",
    arguments: ["/dev/null", "a file", "a file/below", "a link that leads nowhere"])
  func unreachable(_ name: String) async throws {
    let folder = try TemporaryFolder()
    try folder.write("a file", "")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("a link that leads nowhere"), withDestinationPath: "nowhere")
    let path = name.hasPrefix("/") ? name : folder.path(name)
    let home = URL(filePath: path, directoryHint: .isDirectory)
    let (queue, library) = (DownloadQueue(home: home), OfflineLibrary(home: home))
    let calls: [() async throws -> Void] = [
      { _ = try await queue.items() }, { _ = try await library.entries() },
      { _ = try await library.storage() },
    ]
    for call in calls {
      let error = await #expect(throws: DownloadError.self) { try await call() }
      #expect(error?.code == .config && error?.subject?.contains(path) == true)
    }
    let none = DownloadQueue(home: folder.url.appending(path: "not there yet"))
    #expect(try await none.items().isEmpty)
  }

  @Test("what no download could begin with is not added, nor anything beside it")
  func sources() async throws {
    let bench = try QueueBench()
    let rows: [(String, DownloadError.Code)] = [
      ("ftp://h/a", .usage), ("javascript:1", .usage), ("http://", .usage),
      ("http://[::1/", .usage), ("putio:1", .unavailable), ("nowhere.mkv", .notFound),
      ("silo:../../etc", .usage), ("silo:1", .auth),
    ]
    for (source, code) in rows {
      let error = await #expect(throws: DownloadError.self) {
        try await bench.add("http://h/a", source)
      }
      #expect(error?.code == code, "\(source)")
    }
    #expect(try await bench.states().isEmpty)
  }

  @Test("what adding again does depends on what was wanted, and on the file that is there")
  func effects() throws {
    func wish(_ source: String, container: OutputContainer? = nil, overwrites: Bool = false)
      -> ItemWish
    {
      var request = DownloadRequest(source: source)
      (request.container, request.overwrites) = (container, overwrites)
      return ItemWish(request)
    }
    let web = wish("http://h/a")
    let rows: [(ItemWish, ItemWish?, ItemState, isThere: Bool, DownloadQueue.Effect)] = [
      (web, web, .waiting, false, .known), (web, web, .paused, false, .known),
      (wish("http://h/a", container: .mp4), web, .waiting, false, .changed),
      (web, web, .transferring, false, .running), (web, web, .failed, false, .again),
      (web, web, .cancelled, false, .again), (web, web, .finished, false, .again),
      (web, web, .finished, true, .finished), (web, nil, .finished, true, .finished),
      (wish("http://h/a", container: .mp4), web, .finished, true, .finishedOtherwise),
      (wish("http://h/a", overwrites: true), web, .finished, true, .again),
      (wish("silo:1"), wish("silo:1"), .finished, true, .again),
      (wish("silo:1", container: .mp4), wish("silo:1"), .finished, true, .finishedOtherwise),
    ]
    for (place, row) in rows.enumerated() {
      let effect = DownloadQueue.effect(of: row.0, over: row.1, state: row.2, isThere: row.isThere)
      #expect(effect == row.4, "\(place)")
    }
  }

  @Test(
    "an item whose file is there is finished, whatever fails later, unless it was to be replaced",
    arguments: [false, true])
  func kept(overwrites: Bool) async throws {
    let bench = try QueueBench()
    let url = bench.folder.url.appending(path: "out/a.mkv")
    try bench.folder.write("out/a.mkv", "film")
    var request = DownloadRequest(source: "http://h/a.mkv")
    request.output = url.path
    let files = FinishedFiles(store: bench.queue.store)
    _ = try await bench.queue.add([request])
    _ = try await bench.run { _, _ in
      _ = try await files.record(
        url, from: url, sha256: "00", source: "http://h/a.mkv", selection: "-", by: 1)
      return QueueBench.finished
    }
    #expect(try await bench.queue.add([request]).map(\.effect) == [.finished])
    request.overwrites = overwrites
    let booking = await bench.queue.book([request])[0]
    let outcome = await bench.queue.carryOut(booking) { _ in throw DownloadError(.config, "no") }
    guard case .failed = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(try await bench.queue.item("1")?.state == (overwrites ? .failed : .finished))
    let library = OfflineLibrary(home: URL(filePath: bench.queue.home))
    #expect(try await library.entries().map(\.id) == ["1"])
    // Off the list, the file stays under its id.
    _ = try await bench.queue.remove(["1"])
    #expect(try await bench.states().isEmpty)
    #expect(try await library.entries().map(\.id) == ["1"])
  }
}
