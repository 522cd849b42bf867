import Foundation
import SiloTestSupport
import Testing

@testable import SiloDownloads

@Suite struct StateDamageTests {
  /// Makes a good database something else.
  static let damages: [@Sendable ([UInt8]) -> [UInt8]] = [
    { _ in Array("this is no database, whatever its name says".utf8) },
    { Array(repeating: 0xAB, count: $0.count) },
    { Array($0.prefix(4096 + 100)) },
  ]

  @Test(arguments: damages.indices) func `a damaged database is set aside, kept and told once`(
    index: Int
  ) async throws {
    let folder = try TemporaryFolder()
    let store = StateStore(home: folder.url)
    let look: @Sendable () async throws -> Void = {
      _ = try await store.read { try FinishedFileTable.file(at: "/film.mkv", in: $0) }
    }
    for number in 1...2 {
      try await store.write { _ in }
      #expect(store.damage.take().isEmpty)
      let bytes = Self.damages[index](try folder.read("state.sqlite"))
      for suffix in ["-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: store.path + suffix)
      }
      try folder.write("state.sqlite", bytes)
      try await look()
      let aside = "state.sqlite.damaged-\(number)"
      #expect(try folder.read(aside) == bytes)
      let told = store.damage.take()
      #expect(told.count == 1 && told.first?.contains(folder.path(aside)) == true, "\(told)")
      try await look()
      try await store.write { _ in }
      #expect(store.damage.take().isEmpty)
    }
  }
}
