import Foundation

extension Film {
  /// The path of the first 4 s of the Matroska film: 0.3 MB, for what is done very often; not to be changed.
  package static func opening() async throws -> String {
    let film = try await Film.mkv.path()
    let folder = try await FixtureCache.shared.folder("opening") { folder in
      try await Media.make(
        ["-i", film, "-map", "0", "-c", "copy", "-t", "4", "opening.mkv"], in: folder)
    }
    return folder + "/opening.mkv"
  }

  /// The Matroska film with a large Void element behind it: as long as a transfer that can be interrupted.
  ///
  /// - Parameter byteCount: The length of the element's body.
  package static func padded(by byteCount: Int) async throws -> [UInt8] {
    let film = [UInt8](try Data(contentsOf: URL(filePath: try await Film.mkv.path())))
    // The identifier 0xEC and a length of eight bytes.
    let length = (0..<7).reversed().map { UInt8(truncatingIfNeeded: byteCount >> ($0 * 8)) }
    var body = [UInt8](repeating: 0, count: byteCount)
    // Not all zeros, or a hole would look like what belongs there.
    var index = 0
    while index < byteCount {
      body[index] = UInt8(truncatingIfNeeded: index &* 31 &+ (index >> 8) &* 7) | 1
      index += 1
    }
    return film + [0xEC, 0x01] + length + body
  }
}
