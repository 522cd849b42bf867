import SiloMedia
import SiloSystem

/// What can be told from the bytes of a clear segment: that it is media, and whole.
enum SegmentProof {
  /// How far a foreign prefix, such as the header of a picture, may reach.
  static let longestPrefix = 64 << 10
  private static let packet = 188

  /// How many bytes at the front are no part of the segment.
  static func check(_ bytes: [UInt8], _ form: RenditionSpool.Form) throws(SegmentFlaw) -> Int {
    if bytes.isEmpty { throw .empty }
    if isWebVTT(bytes) {
      if form == .webVTT { return 0 }
      throw .text(SegmentFlaw.start(of: bytes))
    }
    if try isBoxes(bytes) { return 0 }
    if form == .webVTT { throw .text(SegmentFlaw.start(of: bytes)) }
    if try isPackedAudio(bytes) { return 0 }
    if let prefix = transportStreamStart(bytes) {
      guard (bytes.count - prefix).isMultiple(of: packet) else {
        throw .cut("a packet of the transport stream")
      }
      return prefix
    }
    if isText(bytes) { throw .text(SegmentFlaw.start(of: bytes)) }
    if bytes[0] == 0x47, bytes.count < packet { throw .cut("a packet of the transport stream") }
    throw .unknown(Digest.hex(Array(bytes.prefix(8))))
  }

  private static func isWebVTT(_ bytes: [UInt8]) -> Bool {
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    return start.starts(with: "WEBVTT".utf8)
  }

  /// The first of up to five sync bytes, each a packet apart.
  private static func transportStreamStart(_ bytes: [UInt8]) -> Int? {
    for start in 0..<min(bytes.count, longestPrefix) where bytes[start] == 0x47 {
      let room = (bytes.count - start) / packet
      // One packet proves itself only where a segment has to start.
      guard room >= (start == 0 ? 1 : 3) else { continue }
      if (0..<min(room, 5)).allSatisfy({ bytes[start + $0 * packet] == 0x47 }) { return start }
    }
    return nil
  }

  private static let boxes: Set<String> = [
    "ftyp", "styp", "moov", "moof", "mdat", "sidx", "ssix", "emsg", "prft", "free", "skip", "uuid",
    "meta", "mfra", "wide",
  ]

  /// Walks the boxes to the end (ISO/IEC 14496-12, 4.2); false when it does not start with one.
  private static func isBoxes(_ bytes: [UInt8]) throws(SegmentFlaw) -> Bool {
    guard bytes.count >= 8, boxes.contains(String(decoding: bytes[4..<8], as: UTF8.self)) else {
      return false
    }
    var offset = 0
    while offset < bytes.count {
      guard bytes.count - offset >= 8 else { throw .cut("a box header") }
      var size = Int(bigEndian(bytes, offset, 4))
      var header = 8
      if size == 0 { return true }
      if size == 1 {
        guard bytes.count - offset >= 16 else { throw .cut("a box header") }
        size = Int(clamping: bigEndian(bytes, offset + 8, 8))
        header = 16
      }
      guard size >= header, size <= bytes.count - offset else {
        let name = SegmentFlaw.start(of: bytes[(offset + 4)..<(offset + 8)])
        throw .cut("the box “\(name)”")
      }
      offset += size
    }
    return true
  }

  private static func bigEndian(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> UInt64 {
    bytes[offset..<(offset + count)].reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// ADTS, MP3, AC-3 and E-AC-3, after any ID3 tags (RFC 8216, 3.4).
  private static func isPackedAudio(_ bytes: [UInt8]) throws(SegmentFlaw) -> Bool {
    var offset = 0
    while bytes.count - offset >= 10, bytes[offset...].starts(with: "ID3".utf8) {
      let size = bytes[(offset + 6)..<(offset + 10)].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
      let footer = bytes[offset + 5] & 0x10 == 0 ? 0 : 10
      guard size + footer <= bytes.count - offset - 10 else { throw .cut("an ID3 tag") }
      offset += 10 + size + footer
    }
    guard bytes.count - offset >= 2 else { return offset > 0 }
    let (first, second) = (bytes[offset], bytes[offset + 1])
    if first == 0xFF, second & 0xF6 == 0xF0 { return try isADTS(bytes, offset) }
    if first == 0xFF, second & 0xE0 == 0xE0, second & 0x06 != 0 { return true }
    return first == 0x0B && second == 0x77
  }

  private static func isADTS(_ bytes: [UInt8], _ start: Int) throws(SegmentFlaw) -> Bool {
    var offset = start
    while offset < bytes.count {
      guard bytes.count - offset >= 7 else { throw .cut("an ADTS frame") }
      guard bytes[offset] == 0xFF, bytes[offset + 1] & 0xF6 == 0xF0 else {
        // ID3 tags may stand between frames; anything else is left to the demuxer.
        return offset > start
      }
      let length =
        Int(bytes[offset + 3] & 3) << 11 | Int(bytes[offset + 4]) << 3 | Int(bytes[offset + 5]) >> 5
      guard length >= 7 else { return offset > start }
      guard length <= bytes.count - offset else { throw .cut("an ADTS frame") }
      offset += length
    }
    return true
  }

  /// Whether the front is nothing but printable characters.
  private static func isText(_ bytes: [UInt8]) -> Bool {
    bytes.prefix(64).allSatisfy { $0 >= 0x20 && $0 != 0x7F || (9...13).contains($0) }
  }
}
