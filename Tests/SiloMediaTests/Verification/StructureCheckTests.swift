import Foundation
import SiloMedia
import SiloTestSupport
import Testing

@Suite("Structure check") struct StructureCheckTests {
  private static let files = [
    "end.mp4", "fast.mp4", "fragments.mp4", "plain.mkv", "tagged.mkv", "film.webm", "segment.ts",
    "sound.mp3", "sound.flac", "sound.ogg",
  ]

  @Test("a whole file has no fault, also against its own inventory", arguments: files)
  func whole(_ name: String) async throws {
    let source = try await InventoryFixtures.source(name)
    let inventory = try await MediaInventory.probe(source)
    #expect(try await StructureCheck.check(source, expecting: inventory) == [])
  }

  @Test("a file that is cut at 60 % is found", arguments: files)
  func cut(_ name: String) async throws {
    let bytes = try await InventoryFixtures.folder.read(name)
    let cut = MediaSource(name: name, bytes: Array(bytes.prefix(bytes.count * 6 / 10)))
    // A stream that ends between two packets is only told by what was promised.
    let promised =
      name == "segment.ts"
      ? try await MediaInventory.probe(try await InventoryFixtures.source(name)) : nil
    #expect(try await StructureCheck.check(cut, expecting: promised).isEmpty == false)
  }

  @Test(
    "what somebody found in it before does not hide a cut", arguments: ["end.mp4", "plain.mkv"])
  func cutAfterwards(_ name: String) async throws {
    let found = try await MediaInventory.probe(try await InventoryFixtures.source(name))
    let bytes = try await InventoryFixtures.folder.read(name)
    for (count, isWhole) in [(bytes.count, true), (bytes.count * 6 / 10, false)] {
      let source = MediaSource(name: name, bytes: Array(bytes.prefix(count)))
      #expect(try await StructureCheck.check(source, found: found).isEmpty == isWhole)
    }
  }

  @Test("a file that is padded with zeros from 60 % on is found", arguments: files)
  func padded(_ name: String) async throws {
    let bytes = try await InventoryFixtures.folder.read(name)
    let kept = bytes.count * 6 / 10
    let padded = MediaSource(
      name: name,
      bytes: Array(bytes.prefix(kept)) + [UInt8](repeating: 0, count: bytes.count - kept))
    #expect(try await StructureCheck.check(padded).isEmpty == false)
  }

  @Test(
    "a hole of 128 KiB in the middle is found",
    arguments: ["end.mp4", "fast.mp4", "fragments.mp4", "plain.mkv", "tagged.mkv", "segment.ts"])
  func hole(_ name: String) async throws {
    var bytes = try await InventoryFixtures.folder.read(name)
    let start = bytes.count / 3
    bytes.replaceSubrange(start..<start + 131_072, with: [UInt8](repeating: 0, count: 131_072))
    let faults = try await StructureCheck.check(MediaSource(name: name, bytes: bytes))
    #expect(faults.contains { $0.kind == .zeros })
  }

  @Test("another file than the promised one is told by container, tracks, length and duration")
  func other() async throws {
    let promised = try await MediaInventory.probe(try await InventoryFixtures.source("end.mp4"))
    let faults = try await StructureCheck.check(
      try await InventoryFixtures.source("segment.ts"), expecting: promised)
    #expect(Set(faults.map(\.kind)) == [.damaged, .track, .byteCount])
    var longer = promised
    longer.duration = .seconds(60)
    let shorter = try await StructureCheck.check(
      try await InventoryFixtures.source("end.mp4"), expecting: longer)
    #expect(shorter.map(\.kind) == [.duration])
  }
}
