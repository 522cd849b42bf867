import Foundation
import SiloMedia
import SiloTestSupport
import Testing

@testable import SiloDownloads

@Suite("Noted first segments")
struct FirstSegmentTableTests {
  @Test("only those of the newest presentations are kept, and all of each")
  func bounds() async throws {
    let folder = try TemporaryFolder()
    let store = StateStore(home: URL(filePath: folder.path))
    let inventory = MediaInventory(kind: .hls)
    func note(_ name: String, of source: String) async throws {
      try await store.write {
        try FirstSegmentTable.store(
          name, byteCount: 1, inventory: inventory, of: source, in: $0)
      }
    }
    for number in 0...FirstSegmentTable.most {
      for name in ["video", "audio"] { try await note(name, of: "\(number)") }
    }
    // Noted again, it is the newest.
    try await note("video", of: "1")
    try await note("video", of: "new")
    for (source, names) in [
      ("0", []), ("1", ["audio", "video"]), ("2", []), ("3", ["audio", "video"]),
      ("new", ["video"]),
    ] {
      let found = try await store.read { try FirstSegmentTable.segments(of: source, in: $0) }
      #expect(found?.keys.sorted() == names, "\(source)")
    }
  }
}
