import Foundation
import SiloMedia
import SiloSystem
import SiloTestSupport
import Synchronization
import Testing

@testable import SiloDownloads

@Suite("Stored files")
struct StoredFileTests {
  /// A film in a folder of the test's own, and what was known when it was stored.
  private func film(_ folder: TemporaryFolder, _ film: Film = .mkv) async throws -> StoredFile {
    let url = URL(filePath: try await film.copy(to: folder, as: "film.\(film)"))
    let bytes = try folder.read("film.\(film)")
    return StoredFile(
      url, byteCount: Int64(bytes.count), sha256: try Digest.hex(of: bytes),
      inventory: try await MediaInventory.probe(try .file(url)))
  }

  @Test(
    "a whole file has no fault, and every check that there was is named", arguments: Film.allCases)
  func whole(_ kind: Film) async throws {
    let folder = try TemporaryFolder()
    var film = try await film(folder, kind)
    let report = try await film.verify()
    #expect(report.faults == [] && report.notes == [])
    #expect(report.verified == ["length", "sha-256", "structure"])
    film = StoredFile(film.url, duration: film.inventory?.duration)
    #expect(try await film.verify() == StoredFileReport(verified: ["structure"]))
    film.claims = DigestClaims(manifest: "?")
    #expect(try await film.verify().notes.count == 1)
  }

  /// What happens to the file, and the classes of the faults that are found.
  private static let damages:
    [(name: String, damage: @Sendable (String) throws -> Void, faults: [StoredFileFault.Kind])] = [
      ("gone", { try FileManager.default.removeItem(atPath: $0) }, [.missing]),
      (
        "a folder",
        {
          try FileManager.default.removeItem(atPath: $0)
          try FileManager.default.createDirectory(
            atPath: $0, withIntermediateDirectories: false)
        }, [.unreadable]
      ),
      ("cut", { try change($0) { $0.removeLast(1000) } }, [.byteCount]),
      ("one bit", { try change($0) { $0[$0.count / 2 + 1] ^= 1 } }, [.digest]),
      (
        "zeros",
        {
          try change($0) {
            $0.replaceSubrange(
              ($0.count / 2)..., with: repeatElement(0, count: $0.count - $0.count / 2))
          }
        },
        [.digest, .structure]
      ),
      ("no media", { try change($0) { $0 = $0.map { _ in 32 } } }, [.digest, .structure]),
    ]

  private static func change(_ path: String, _ body: (inout [UInt8]) -> Void) throws {
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    body(&bytes)
    try Data(bytes).write(to: URL(filePath: path))
  }

  @Test("every kind of damage is found, with its place in the container")
  func damage() async throws {
    for row in Self.damages {
      let folder = try TemporaryFolder()
      let film = try await film(folder)
      try row.damage(film.url.path)
      let faults = try await film.verify().faults
      #expect(faults.map(\.kind) == row.faults, "\(row.name): \(faults)")
      if row.name == "zeros" { #expect((faults.last?.offset ?? 0) > 0) }
    }
  }

  @Test("other tracks, another length in time and another digest of others are faults")
  func promises() async throws {
    let folder = try TemporaryFolder()
    var film = try await film(folder)
    film.inventory?.audio.removeLast()
    #expect(try await film.verify().faults.map(\.kind) == [.structure])
    film = StoredFile(film.url, duration: .seconds(60))
    #expect(try await film.verify().faults.map(\.kind) == [.structure])
    film.duration = nil
    film.claims = DigestClaims([
      ExpectedDigest(.md5, hexadecimal: "00", origin: .header("Content-MD5"))
    ])
    let report = try await film.verify()
    #expect(report.faults.map(\.kind) == [.digest])
    #expect(report.faults.first?.message.contains("the server's Content-MD5") == true)
  }

  @Test("progress counts the bytes up to the length, and cancelling ends the work")
  func progress() async throws {
    let folder = try TemporaryFolder()
    let film = try await film(folder)
    let seen = Mutex<[Int64]>([])
    _ = try await film.verify { read, total in
      #expect(total == film.byteCount)
      seen.withLock { $0.append(read) }
    }
    let counts = seen.withLock { $0 }
    #expect(counts == counts.sorted() && counts.last == film.byteCount)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await film.verify()
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
