import Foundation
import SiloMedia
import SiloTestSupport
import Testing

@testable import SiloDownloads

@Suite("Downloads in the foreground")
struct ForegroundTests {
  private func request(_ source: String, _ bench: QueueBench) -> DownloadRequest {
    var request = DownloadRequest(source: source)
    request.output = bench.folder.path + "/out/"
    return request
  }

  @Test("what is booked is nobody else's, and keeps its id from run to run")
  func booked() async throws {
    let bench = try QueueBench()
    let requests = [request("http://h/a", bench), request("nowhere.mkv", bench)]
    let bookings = await bench.queue.book(requests)
    #expect(bookings.map(\.id) == ["1", nil])
    #expect(try await bench.states() == ["1": .paused])
    #expect(try await bench.run { _, _ in QueueBench.finished } == [])
    let outcome = await bench.queue.carryOut(bookings[0]) { _ in
      throw DownloadError(.temporary, "later")
    }
    guard case .failed = outcome else {
      Issue.record("\(outcome)")
      return
    }
    // Told to the one who asked; the next run that begins takes it up, no run that goes on.
    #expect(try await bench.states() == ["1": .failed])
    #expect(await bench.queue.book(requests).map(\.id) == ["1", nil])
    _ = await bench.queue.carryOut(bookings[0]) { _ in QueueBench.finished }
    #expect(try await bench.queue.item("1")?.state == .finished)
    #expect(try await bench.queue.items().isEmpty)
  }

  @Test("of a failure before anything was decided no row is kept, and a stop is a pause")
  func ends() async throws {
    let bench = try QueueBench()
    let first = await bench.queue.book([request("http://h/a", bench)])[0]
    _ = await bench.queue.carryOut(first) { _ in throw DownloadError(.notFound, "gone") }
    #expect(try await bench.states().isEmpty)
    let second = await bench.queue.book([request("http://h/b?token=sesame", bench)])[0]
    _ = await bench.queue.carryOut(second) { _ in throw CancellationError() }
    let item = try #require(try await bench.queue.items().first)
    #expect(item.state == .paused && item.needs.count == 1)
    let bytes = try bench.folder.names().filter { $0.hasPrefix("home/state") }
      .flatMap { try bench.folder.read($0) }
    #expect(!String(decoding: bytes, as: UTF8.self).contains("sesame"))
  }

  @Test("a state that cannot be written, and an item that another has, stop no download")
  func alone() async throws {
    let bench = try QueueBench()
    try bench.folder.write("home", "a file where the folder belongs")
    let none = await bench.queue.book([request("http://h/a", bench)])
    #expect(none.map(\.id) == [nil])
    guard case .finished = await bench.queue.carryOut(none[0], { _ in QueueBench.finished }) else {
      Issue.record("it did not run")
      return
    }
    let other = try QueueBench()
    let booking = await other.queue.book([request("http://h/a", other)])[0]
    let lock = try ItemLock.take(1, in: other.queue.home)
    guard case .skipped = await other.queue.carryOut(booking, { _ in nil }) else {
      Issue.record("it did not run")
      return
    }
    lock?.release()
  }
}
