/// The top-level boxes of what a muxer wrote, apart: the init section and the media.
enum FragmentBoxes {
  /// `ftyp` and `moov`.
  static func initSection(of bytes: [UInt8]) -> [UInt8] { pick(["ftyp", "moov"], of: bytes) }

  /// `moof` and `mdat`.
  static func media(of bytes: [UInt8]) -> [UInt8] { pick(["moof", "mdat"], of: bytes) }

  private static func pick(_ names: Set<String>, of bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    for (name, box) in boxes(in: bytes[...]) where names.contains(name) { result += box }
    return result
  }

  /// The boxes one after the other, headers included; ends at the first that is not whole.
  static func boxes(in bytes: ArraySlice<UInt8>) -> [(name: String, box: ArraySlice<UInt8>)] {
    var found: [(name: String, box: ArraySlice<UInt8>)] = []
    var rest = bytes
    while rest.count >= 8 {
      let head = Array(rest.prefix(8))
      var size = head[..<4].reduce(0) { $0 << 8 | Int($1) }
      if size == 1, rest.count >= 16 {
        let large = rest.dropFirst(8).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        size = Int(clamping: large)
      }
      guard size >= 8, size <= rest.count else { break }
      found.append((String(decoding: head[4...], as: UTF8.self), rest.prefix(size)))
      rest = rest.dropFirst(size)
    }
    return found
  }
}
