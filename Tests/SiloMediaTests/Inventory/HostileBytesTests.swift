import Foundation
import SiloMedia
import SiloTestSupport
import Testing

@Suite("Hostile bytes") struct HostileBytesTests {
  @Test(
    "what is no media is refused by its name",
    arguments: [
      ("", "empty"), ("<!DOCTYPE html><html><head></head></html>", "an HTML page"),
      ("{\"error\": \"not found\"}", "JSON"), ("Not found, sorry.", "plain text"),
      ("#EXTM3U\n#EXT-X-ENDLIST\n", "an HLS playlist"), ("%PDF-1.7", "a PDF document"),
      ("<?xml version=\"1.0\"?><MPD></MPD>", "a DASH manifest"),
    ])
  func refused(_ text: String, _ name: String) async throws {
    let error = await #expect(throws: MediaError.self) {
      try await MediaInventory.probe(MediaSource(name: "it", bytes: Array(text.utf8)))
    }
    #expect(error?.code == .unsupported)
    #expect(error?.message.contains(name) == true)
    #expect(error?.subject == "it")
  }

  @Test("encrypted media is refused and the scheme or system named")
  func encrypted() async throws {
    let folder = try await InventoryFixtures.folder
    var bytes = try folder.read("locked.mp4")
    let plain = await #expect(throws: MediaError.self) {
      try await MediaInventory.probe(MediaSource(name: "it", bytes: bytes))
    }
    #expect(plain?.code == .encrypted)
    #expect(plain?.message.contains("cenc") == true)
    // A header of Widevine in place of an empty box at the end of the index.
    let id: [UInt8] = [
      0xED, 0xEF, 0x8B, 0xA9, 0x79, 0xD6, 0x4A, 0xCE, 0xA3, 0xC8, 0x27, 0xDC, 0xD5, 0x1D, 0x21,
      0xED,
    ]
    let box = [0, 0, 0, 32] + Array("pssh".utf8) + [0, 0, 0, 0] + id + [0, 0, 0, 0]
    let type = Array("moov".utf8)
    let at = try #require(
      bytes.indices.first { $0 + 4 <= bytes.count && Array(bytes[$0..<$0 + 4]) == type })
    var size = bytes[at - 4..<at].reduce(0) { $0 << 8 | Int($1) }
    let end = at - 4 + size
    bytes.insert(contentsOf: box, at: end)
    size += box.count
    for index in 0..<4 {
      bytes[at - 4 + index] = UInt8(truncatingIfNeeded: size >> (24 - 8 * index))
    }
    let named = await #expect(throws: MediaError.self) {
      try await MediaInventory.probe(MediaSource(name: "it", bytes: bytes))
    }
    #expect(named?.message.contains("Widevine") == true)
  }

  @Test(
    "a file that is cut before its index says so",
    arguments: [("end.mp4", 60), ("end.mp4", 99), ("fast.mp4", 1), ("plain.mkv", 0)])
  func cut(_ name: String, _ percent: Int) async throws {
    let bytes = try await InventoryFixtures.folder.read(name)
    let length = max(300, bytes.count * percent / 100)
    let error = await #expect(throws: MediaError.self) {
      try await MediaInventory.probe(MediaSource(name: "it", bytes: Array(bytes.prefix(length))))
    }
    #expect(error?.code == .corrupt)
    #expect(error?.message.contains("again") == true)
  }

  @Test(
    "no cut and no flipped bits crash or hang a probe or a check",
    .timeLimit(.minutes(5)),
    arguments: ["end.mp4", "fragments.mp4", "plain.mkv", "tagged.mkv", "segment.ts", "sound.ogg"])
  func survives(_ name: String) async throws {
    let whole = try await InventoryFixtures.folder.read(name)
    var random = SplitMix(state: UInt64(name.utf8.reduce(7) { $0 &* 31 &+ Int($1) } & 0xFFFF_FFFF))
    var outcomes = 0
    for round in 0..<60 {
      var bytes = whole
      if round % 3 == 0 { bytes.removeLast(Int(random.next() % UInt64(bytes.count))) }
      // Headers stand at both ends: most flips go there.
      for _ in 0..<(round % 3 == 0 ? 0 : 12) where !bytes.isEmpty {
        let span = UInt64(min(bytes.count, 4096))
        let place = Int(random.next() % span)
        let index = random.next() % 2 == 0 ? place : bytes.count - 1 - place
        bytes[index] ^= UInt8(truncatingIfNeeded: 1 << (random.next() % 8))
      }
      let source = MediaSource(name: name, bytes: bytes)
      do {
        _ = try await MediaInventory.probe(source)
        _ = try await StructureCheck.check(source)
      } catch is MediaError {}
      outcomes += 1
    }
    #expect(outcomes == 60)
  }
}

/// Numbers that are the same in every run.
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
