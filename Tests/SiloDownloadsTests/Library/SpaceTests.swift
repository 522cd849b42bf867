import Foundation
import SiloSystem
import SiloTestSupport
import Synchronization
import Testing

@testable import SiloDownloads

@Suite("Space")
struct SpaceTests {
  @Test("what others will still need of the same disk is reserved, less what they have")
  func ledger() {
    let rows:
      [(claims: [(device: UInt64, peak: Int64?, used: Int64)], device: UInt64, reserved: Int64)] = [
        ([], 1, 0),
        ([(1, 100, 0)], 1, 100), ([(1, 100, 30)], 1, 70), ([(1, 100, 300)], 1, 0),
        ([(1, 100, 30), (1, 50, 0), (2, 1000, 0)], 1, 120), ([(1, nil, 5)], 1, 0),
        ([(1, .max, 0), (1, .max, 0)], 1, .max), ([(1, 100, .min)], 1, 100),
      ]
    for row in rows {
      var ledger = SpaceLedger()
      let numbers = row.claims.map {
        ledger.add(SpaceLedger.Claim(device: $0.device, peakByteCount: $0.peak))
      }
      let used = Dictionary(uniqueKeysWithValues: zip(numbers, row.claims.map(\.used)))
      #expect(
        ledger.reservedByteCount(on: row.device) { used[$0] ?? 0 } == row.reserved, "\(row)")
      if let first = numbers.first {
        let others = ledger.reservedByteCount(on: row.device, except: first) { used[$0] ?? 0 }
        ledger.remove(first)
        #expect(ledger.reservedByteCount(on: row.device) { used[$0] ?? 0 } == others)
      }
    }
  }

  @Test("there is room when what is free and not reserved covers what is missing")
  func looks() {
    let mib: Int64 = 1 << 20
    let rows: [(look: SpaceLook, isEnough: Bool)] = [
      (SpaceLook(freeByteCount: nil, peakByteCount: .max), true),
      (SpaceLook(freeByteCount: 10 * mib, peakByteCount: 9 * mib), true),
      (SpaceLook(freeByteCount: 10 * mib, peakByteCount: 9 * mib + 1), false),
      (SpaceLook(freeByteCount: 10 * mib, usedByteCount: mib, peakByteCount: 10 * mib), true),
      (SpaceLook(freeByteCount: 10 * mib, reservedByteCount: 1, peakByteCount: 9 * mib), false),
      (SpaceLook(freeByteCount: 0, reservedByteCount: .max, peakByteCount: 0), false),
      (SpaceLook(freeByteCount: 15 * mib, peakByteCount: nil), false),
      (SpaceLook(freeByteCount: 16 * mib, peakByteCount: nil), true),
      (SpaceLook(freeByteCount: .max, peakByteCount: .max), true),
    ]
    for row in rows { #expect(row.look.isEnough == row.isEnough, "\(row.look)") }
  }

  @Test("two items are never promised the same bytes, and what one has counts as taken")
  func reservations() async throws {
    struct Refused: Error {}
    let folder = try TemporaryFolder()
    let disk = SpaceReservations { _ in
      FileSystem(device: 7, freeByteCount: 10 << 20, freeFileCount: nil)
    }
    func need(_ name: String, _ peak: Int64) -> SpaceReservations.Need {
      let url = URL(filePath: folder.path(name))
      return SpaceReservations.Need(output: url, places: [url], peakByteCount: peak)
    }
    let admit: @Sendable (SpaceLook) throws -> Void = { look in
      if !look.isEnough { throw Refused() }
    }
    var first: SpaceReservation? = try await disk.reserve(need("a", 6 << 20), admit: admit)
    await #expect(throws: Refused.self) {
      try await disk.reserve(need("b", 12 << 20), admit: admit)
    }
    let small = try await disk.reserve(need("c", 3 << 20), admit: admit)
    #expect(try await small.retake().reservedByteCount == 6 << 20)
    // Reserved blocks are neither a length nor free: they count as had.
    let part = try OwnedDescriptor.open(folder.path("a"), .create)
    if try part.reserve(0..<4 << 20, growing: false) {
      #expect(try part.byteCount() == 0)
      #expect(try await small.retake().reservedByteCount == 2 << 20)
    }
    // One that waits lets others have its room, and asks for it again.
    first?.giveUp()
    #expect(try await small.retake().reservedByteCount == 0)
    #expect(try await first?.retake().isEnough == true)
    #expect(try await small.retake().reservedByteCount > 0)
    first = nil
    let large = try await disk.reserve(need("b", 6 << 20), admit: admit)
    #expect(large.need.peakByteCount == 6 << 20)
  }

  @Test("what others have to give back first is waited for, and cancelling ends that")
  func turns() async throws {
    struct Refused: Error {}
    let disk = SpaceReservations { _ in
      FileSystem(device: 7, freeByteCount: 10 << 20, freeFileCount: nil)
    }
    let need = SpaceReservations.Need(
      output: URL(filePath: "/none/a"), places: [], peakByteCount: 6 << 20)
    let admit: @Sendable (SpaceLook) throws -> Void = { look in
      if !look.isEnough { throw Refused() }
    }
    for isCancelled in [false, true] {
      var first: SpaceReservation? = try await disk.reserve(need, admit: admit)
      let (waiting, waits) = AsyncStream.makeStream(of: Void.self)
      let second = Task {
        try await disk.reserve(need, waits: { waits.finish() }, admit: admit).need.peakByteCount
      }
      for await _ in waiting {}
      if isCancelled {
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        #expect(try await first?.retake().reservedByteCount == 0)
      } else {
        first = nil
        #expect(try await second.value == 6 << 20)
      }
    }
  }

  @Test(
    "what others remove or write while somebody looks is not missed",
    arguments: [(2, true), (2, false), (3, true), (3, false)], [false, true])
  func changes(_ moment: (look: Int, isBefore: Bool), isWritten: Bool) async throws {
    struct Refused: Error {}
    let folder = try TemporaryFolder()
    let url = URL(filePath: folder.path("a"))
    let need = SpaceReservations.Need(output: url, places: [url], peakByteCount: 6 << 20)
    let other = SpaceReservations.Need(
      output: URL(filePath: folder.path("b")), places: [], peakByteCount: 10 << 20)
    let admit: @Sendable (SpaceLook) throws -> Void = { look in
      if !look.isEnough { throw Refused() }
    }
    let write: @Sendable () -> Void = { try? Data(repeating: 1, count: 6 << 20).write(to: url) }
    let remove: @Sendable () -> Void = { try? FileManager.default.removeItem(at: url) }
    let change = isWritten ? write : remove
    if !isWritten { write() }
    // The other one's file comes or goes right before, or right after, one of the looks at what is free.
    // The first look is its own, the others are of the one that needs more than is left.
    let looks = Mutex(0)
    let disk = SpaceReservations { _ in
      let isNow = looks.withLock { count in
        count += 1
        return count == moment.look
      }
      if isNow, moment.isBefore { change() }
      let used = DiskSpace.used(by: url)
      if isNow { change() }
      return FileSystem(device: 7, freeByteCount: (16 << 20) - used, freeFileCount: nil)
    }
    var first: SpaceReservation? = try await disk.reserve(need, admit: admit)
    let (waiting, waits) = AsyncStream.makeStream(of: Void.self)
    let second = Task {
      defer { waits.finish() }
      return try await disk.reserve(other, waits: { waits.finish() }, admit: admit)
    }
    for await _ in waiting {}
    remove()
    #expect(first != nil)
    first = nil
    #expect(try await second.value.need.peakByteCount == 10 << 20)
  }

  @Test(
    "blocks that are reserved for a file are neither its progress nor a reason to call it whole")
  func reserved() async throws {
    let folder = try TemporaryFolder()
    let server = try FaultServer()
    let bytes = (0..<8 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ ($0 >> 8)) | 0x80 }
    server.serve(bytes, at: "/film.mkv")
    server.on("/film.mkv") { _, _ in .served.cut(after: 2 << 20) }
    var options = HTTPOptions()
    options.attempts = 1
    options.connectionsPerFile = 1
    let client = HTTPClient(options, waiting: Waiting(now: Waiting.system.now, sleep: { _ in }))
    let url = try #require(URL(string: server.url("/film.mkv")))
    let part = folder.url.appending(path: "film.mkv.part")
    let transfer = FileTransfer(client: client, url: url, partial: part)
    for _ in 0..<2 {
      _ = try? await transfer.run()
      server.on("/film.mkv") { _, _ in .status(404) }
    }
    let file = try OwnedDescriptor.open(part.path, .read)
    let there = try file.byteCount()
    #expect(there > 0 && there < 8 << 20)
    server.on("/film.mkv") { _, _ in .served }
    let first = Mutex<Int64?>(nil)
    let whole = try await transfer.run { byteCount, _ in
      first.withLock { $0 = $0 ?? byteCount }
    }
    #expect(whole.byteCount == 8 << 20)
    let begun = first.withLock { $0 } ?? 0
    #expect(begun > 0 && begun <= there)
    #expect(try folder.read("film.mkv.part") == bytes)
  }

  @Test("what is full, forbidden or too long is told apart")
  func messages() {
    let rows: [(Int32, DownloadError.Code, String)] = [
      (ENOSPC, .space, "disk is full"), (EDQUOT, .space, "quota"), (EFBIG, .config, "ulimit -f"),
      (EROFS, .config, "read-only"), (EACCES, .config, "may not write"),
      (EPERM, .config, "may not write"), (ENAMETOOLONG, .config, "longer than"),
      (EEXIST, .config, "--overwrite"), (EIO, .config, "Cannot be written"),
    ]
    for (errno, code, text) in rows {
      let error = DownloadError(
        writing: SystemCallError(call: "pwrite", errno: errno, path: "/none/film.part"))
      #expect(error.code == code && error.message.contains(text), "\(error)")
      let other = rows.filter { $0.2 != text }.first { error.message.contains($0.2) }
      #expect(other == nil, "\(error)")
    }
  }
}
