import Foundation
import SiloMedia
import SiloStore
import SiloTestSupport
import Synchronization
import Testing

@testable import SiloDownloads

/// A queue in a folder of its own, and downloads that go as a test says.
struct QueueBench {
  let folder: TemporaryFolder
  let queue: DownloadQueue

  init() throws {
    folder = try TemporaryFolder()
    queue = DownloadQueue(home: folder.url.appending(path: "home", directoryHint: .isDirectory))
  }

  /// Adds sources for one folder; returns their ids.
  @discardableResult
  func add(_ sources: String...) async throws -> [String] {
    try await queue.add(
      sources.map {
        var request = DownloadRequest(source: $0)
        request.output = folder.path + "/out/"
        return request
      }
    ).map(\.item.id)
  }

  func states() async throws -> [String: ItemState] {
    Dictionary(uniqueKeysWithValues: try await queue.items().map { ($0.id, $0.state) })
  }

  func connection() throws -> Connection {
    try Connection.open(queue.store.path, mode: .readWrite)
  }

  static let finished = FinishedDownload(
    path: URL(filePath: "/out/a.mkv"), byteCount: 7, sha256: "ab",
    inventory: MediaInventory(kind: .file), verified: [])

  typealias Download =
    @Sendable (
      _ source: String, _ events: @escaping @Sendable (DownloadEvent) -> Void
    ) async throws -> FinishedDownload?

  /// Runs the queue; returns what ended, in order.
  @discardableResult
  func run(
    _ change: (inout DownloadQueue.Run) -> Void = { _ in }, _ download: @escaping Download
  ) async throws -> [String] {
    let ended = Mutex<[String]>([])
    var run = DownloadQueue.Run { _, request, events in
      try await download(request.source, events)
    } ended: { item, outcome in
      let word =
        switch outcome {
        case .finished: "finished"
        case .skipped: "skipped"
        case .failed: "failed"
        case .postponed: "postponed"
        case .withdrawn(let state): "withdrawn \(state?.rawValue ?? "-")"
        }
      ended.withLock { $0.append("\(item.id) \(word)") }
    }
    change(&run)
    try await queue.run(run)
    return ended.withLock { $0 }
  }
}

@Suite("The queue")
struct DownloadQueueTests {
  @Test("a source that is added again is the same item, and its wish is the newest")
  func again() async throws {
    let bench = try QueueBench()
    var request = DownloadRequest(source: "http://h/a.mkv?token=1")
    request.output = bench.folder.path + "/out/"
    let first = try await bench.queue.add([request])
    request.source = "http://h/a.mkv?token=2"
    let second = try await bench.queue.add([request])
    #expect(first.map(\.isNew) == [true] && second.map(\.isNew) == [false])
    #expect(first[0].item.id == second[0].item.id)
    let sources = Mutex<[String]>([])
    try await bench.run { source, _ in
      sources.withLock { $0.append(source) }
      return QueueBench.finished
    }
    #expect(sources.withLock { $0 } == ["http://h/a.mkv?token=2"])
    #expect(try await bench.states() == ["1": .finished])
    #expect(try await bench.add("http://h/a.mkv") == ["1"])
    #expect(try await bench.states() == ["1": .waiting])
  }

  @Test("one failure stops nobody, and only what a retry may mend comes again")
  func failures() async throws {
    let bench = try QueueBench()
    try await bench.add("http://h/a", "http://h/b", "http://h/c", "http://h/d")
    let ended = try await bench.run { source, _ in
      switch source.last {
      case "a": throw DownloadError(.notFound, "gone")
      case "b": throw DownloadError(.space, "full")
      case "c": throw MediaError(.overBudget, "too much")
      default: return QueueBench.finished
      }
    }
    #expect(ended.sorted() == ["1 failed", "2 failed", "3 failed", "4 finished"])
    let items = try await bench.queue.items()
    #expect(items.map(\.state) == [.failed, .waiting, .failed, .finished])
    #expect(
      items.map(\.failure?.code) == [.notFound, .space, .space, nil])
    #expect(items[0].failure?.message == "gone")
    // Space may have come: the next run takes that one alone.
    #expect(try await bench.run { _, _ in nil } == ["2 skipped"])
    #expect(try await bench.queue.retryFailed().map(\.item.id) == ["1", "3"])
    #expect(try await bench.run { _, _ in QueueBench.finished }.count == 2)
  }

  @Test("a temporary failure comes again after its pause, in the same run")
  func temporary() async throws {
    let bench = try QueueBench()
    try await bench.add("http://h/a")
    let count = Mutex(0)
    let ended = try await bench.run { _, _ in
      let n = count.withLock {
        $0 += 1
        return $0
      }
      if n == 1 { throw DownloadError(.temporary, "later") }
      return QueueBench.finished
    }
    #expect(ended == ["1 postponed", "1 finished"])
    #expect(try await bench.queue.item("1")?.attempt == 2)
  }

  @Test(
    "what failed of an outage is taken up by the next run that may have it, and nothing else is")
  func outage() async throws {
    let bench = try QueueBench()
    try await bench.add("http://h/a", "http://h/b", "http://h/c", "http://h/d", "http://h/e")
    try bench.connection().execute(
      """
      UPDATE item SET state = 'failed', failure = 'temporary', is_worth_retrying = 1,
        failure_count = 5, message = 'no answer';
      UPDATE item SET failure = 'not_found', is_worth_retrying = 0 WHERE id = 2;
      UPDATE item SET needs = 'a password' WHERE id = 3;
      UPDATE item SET owner = 'somebody else' WHERE id = 4;
      """)
    #expect(try await bench.run({ $0.ids = ["2"] }, { _, _ in nil }) == [])
    let counts = Mutex<[Int]>([])
    let queue = bench.queue
    // It has all of its attempts again.
    let ended = try await bench.run { source, _ in
      if let item = try await queue.item(source.hasSuffix("a") ? "1" : "5") {
        counts.withLock { $0.append(item.failureCount) }
      }
      return QueueBench.finished
    }
    #expect(ended.sorted() == ["1 finished", "5 finished"] && counts.withLock { $0 } == [0, 0])
    let left = try await bench.queue.items().map(\.state)
    #expect(left == [.finished, .failed, .failed, .failed, .finished])
    #expect(try await bench.queue.items()[2].failure?.message == "no answer")
  }

  @Test("`retry` has a run that goes on take up what failed in it", .timeLimit(.minutes(2)))
  func retryInTheRun() async throws {
    let bench = try QueueBench()
    try await bench.add("http://h/a", "http://h/b")
    let count = Mutex(0)
    let (failures, failed) = AsyncStream.makeStream(of: Void.self)
    let queue = bench.queue
    var run = DownloadQueue.Run { item, _, _ in
      if item.id == "1" {
        let isFirst = count.withLock {
          $0 += 1
          return $0 == 1
        }
        if isFirst { throw DownloadError(.notFound, "gone") }
        failed.finish()
      } else {
        var turns = failures.makeAsyncIterator()
        _ = await turns.next()
        _ = try await queue.retry(["1"])
        // Until it was taken up.
        _ = await turns.next()
      }
      return QueueBench.finished
    } ended: { item, _ in
      if item.id == "1" { failed.yield() }
    }
    run.limit = 2
    try await queue.run(run)
    #expect(try await bench.states() == ["1": .finished, "2": .finished])
  }

  @Test("what a search found has its title when it is added, and a series is refused then")
  func titles() async throws {
    let bench = try QueueBench()
    var queue = bench.queue
    queue.owner = "me"
    let findings = [
      SiloCatalog.Finding(
        reference: SiloReference(id: "f1"), kind: "movie", title: "Heat", year: 1995),
      SiloCatalog.Finding(
        reference: SiloReference(id: "s1"), kind: "series", title: "Dark", year: 2017),
    ]
    await queue.remember(findings)
    await queue.remember(
      [
        SiloCatalog.SeriesEpisode(
          reference: SiloReference(id: "s1", episodeID: "e2"), title: "S01E02 Lies", hasFile: true,
          versionCount: 1)
      ], of: SiloReference(id: "s1"))
    let folder = bench.folder.path
    @Sendable func add(_ source: String, _ queue: DownloadQueue) async throws -> String? {
      var request = DownloadRequest(source: source)
      request.output = folder + "/out/"
      return try await queue.add([request]).first?.item.title
    }
    let mine = queue
    #expect(try await add("silo:f1", mine) == "Heat")
    #expect(try await add("silo:s1/e2", mine) == "Dark S01E02 Lies")
    // Nobody asked.
    #expect(try await add("silo:f2", mine)?.contains("f2") == true)
    let refusal = await #expect(throws: DownloadError.self) {
      _ = try await add("silo:s1", mine)
    }
    #expect(refusal?.code == .usage && refusal?.message.contains("season silo:s1") == true)
    #expect(try await queue.items().count == 3)
    // Somebody else's server may mean another thing by the same id.
    queue.owner = "other"
    #expect(try await add("silo:s1", queue)?.contains("s1") == true)
    await queue.remember(
      (0..<2100).map {
        SiloCatalog.Finding(
          reference: SiloReference(id: "x\($0)"), kind: "movie", title: "X", year: nil)
      })
    let count = try bench.connection().rows("SELECT count(*) FROM known_title").first?.first
    #expect(count == .integer(Int64(KnownTitleTable.most)))
  }

  @Test("no more run at once than the limit, and a row that says nonsense stops nobody")
  func limit() async throws {
    let bench = try QueueBench()
    try await bench.queue.setLimit(3)
    for n in 0..<8 { try await bench.add("http://h\(n)/\(n)") }
    try bench.connection().execute("UPDATE item SET state = 'nonsense' WHERE id = 2")
    try bench.connection().execute("UPDATE item SET wish = x'7b' WHERE id = 3")
    let load = Mutex((now: 0, most: 0))
    let ended = try await bench.run { _, _ in
      load.withLock {
        $0.now += 1
        $0.most = max($0.most, $0.now)
      }
      await Task.yield()
      load.withLock { $0.now -= 1 }
      return QueueBench.finished
    }
    #expect(load.withLock { $0.most } <= 3)
    #expect(ended.filter { $0.hasSuffix("finished") }.count == 6)
    #expect(ended.contains("3 failed"))
    let items = try await bench.queue.items()
    #expect(items[1].isDamaged && items[1].state == .failed)
    await #expect(throws: DownloadError.self) { try await bench.queue.retry(["2"]) }
    try await _ = bench.queue.remove(["2"])
    #expect(try await bench.queue.items().count == 7)
    #expect(try await bench.queue.limit() == 3)
  }

  @Test("pausing and cancelling stop a worker, whose last words count for nothing")
  func withdrawal() async throws {
    let bench = try QueueBench()
    try await bench.add("http://h/a", "http://i/b")
    let queue = bench.queue
    let ended = try await bench.run { source, events in
      events(.phase(.transferring))
      if source.hasSuffix("a") {
        _ = try await queue.pause(["1"])
      } else {
        Task { try await queue.cancel(["2"]) }
      }
      defer { events(.progress(DownloadProgress(bytes: 99, total: 100))) }
      try await Task.sleep(for: .seconds(3600))
      return QueueBench.finished
    }
    #expect(ended.sorted() == ["1 withdrawn paused", "2 withdrawn cancelled"])
    #expect(try await bench.states() == ["1": .paused, "2": .cancelled])
    #expect(try await queue.resume(["1"]).map(\.item.state) == [.waiting])
    // Asked for again it is as wanted; what makes no sense is refused, and changes nothing.
    #expect(try await queue.resume(["1", "1"]).map(\.item.state) == [.waiting])
    await #expect(throws: DownloadError.self) { try await queue.pause(["1", "2"]) }
    await #expect(throws: DownloadError.self) { try await queue.pause(["1", "77"]) }
    #expect(try await bench.states() == ["1": .waiting, "2": .cancelled])
  }

  @Test("bytes never go back, and the attempt before cannot write")
  func attempts() async throws {
    let bench = try QueueBench()
    try await bench.add("http://h/a")
    let (store, queue) = (bench.queue.store, bench.queue)
    try await bench.queue.change { try ItemTable.enter(.transferring, 1, in: $0) }
    let write = { @Sendable (bytes: Int64, attempt: Int) in
      try await store.write {
        try ItemTable.note(
          ItemTable.Note(byteCount: bytes), of: 1, attempt: attempt, in: $0)
      }
    }
    #expect(try await write(50, 1))
    #expect(try await write(20, 1))
    #expect(try await queue.item("1")?.byteCount == 50)
    #expect(try await !write(70, 0))
    #expect(try await queue.item("1")?.byteCount == 50)
  }

  @Test(
    "the folders of a download that was given up before they were noted are known to whoever removes it",
    arguments: [false, true])
  func foldersOfALost(isKnownLost: Bool) async throws {
    let bench = try QueueBench()
    try await bench.add("http://h/a")
    let recorder = ItemRecorder(bench.queue.store, 1, attempt: 0)
    try await bench.queue.change { try ItemTable.enter(.cancelled, 1, in: $0) }
    if isKnownLost {
      recorder.note(.phase(.transferring))
      await recorder.flush()
      #expect(recorder.isLost)
    }
    recorder.note(.placed(bench.folder.url.appending(path: "new/a.mkv")))
    await recorder.flush()
    #expect(recorder.isLost)
    let folders = try await bench.queue.read { try ItemTable.madeFolders(in: $0) }
    #expect(folders == [bench.folder.path + "/new"])
    #expect(try await bench.queue.item("1")?.state == .cancelled)
    #expect(try await bench.queue.item("1")?.path == nil)
  }

  @Test("what a killed worker left waits again, and what lives is left alone")
  func recovery() async throws {
    let bench = try QueueBench()
    try await bench.add("http://h/a", "http://h/b")
    try await bench.queue.change {
      for number: Int64 in 1...2 { try ItemTable.enter(.transferring, number, in: $0) }
    }
    let lock = try ItemLock.take(2, in: bench.queue.home)
    #expect(try await bench.states() == ["1": .waiting, "2": .transferring])
    let ended = try await bench.run { _, _ in QueueBench.finished }
    #expect(ended == ["1 finished"])
    lock?.release()
    #expect(try await bench.run { _, _ in QueueBench.finished } == ["2 finished"])
  }

  @Test("only one process runs the queue; a run that is stopped leaves its items waiting")
  func stopped() async throws {
    let bench = try QueueBench()
    try await bench.add("http://h/a")
    let (started, begin) = AsyncStream.makeStream(of: Void.self)
    let run = Task {
      try await bench.run {
        $0.limit = 1
      } _: { _, _ in
        begin.yield()
        try await Task.sleep(for: .seconds(3600))
        return nil
      }
    }
    for await _ in started { break }
    await #expect(throws: DownloadError.self) { try await bench.run { _, _ in nil } }
    // Adding and listing wait for nobody.
    try await bench.add("http://h/b")
    run.cancel()
    #expect(try await run.value == ["1 failed"])
    #expect(try await bench.states() == ["1": .waiting, "2": .waiting])
    #expect(try await bench.queue.items()[0].failure == nil)
  }

  @Test("an item that needs what is not kept waits until it is given")
  func needs() async throws {
    let bench = try QueueBench()
    var request = DownloadRequest(source: "http://joe:sesame@h/a")
    request.output = bench.folder.path + "/out/"
    let added = try await bench.queue.add([request], headers: ["X-Key"])
    #expect(added[0].item.needs.count == 2)
    #expect(try await bench.run { _, _ in QueueBench.finished } == [])
    let bytes = try bench.folder.names().filter { $0.hasPrefix("home/state") }
      .flatMap { try bench.folder.read($0) }
    #expect(!String(decoding: bytes, as: UTF8.self).contains("sesame"))
    let ended = try await bench.run {
      $0.ids = ["1"]
      $0.suppliesNeeds = true
    } _: { _, _ in
      QueueBench.finished
    }
    #expect(ended == ["1 finished"])
  }
}
