/// The ID3 tags before a packed audio segment (RFC 8216, 3.4).
struct PackedAudioTag: Hashable {
  /// How much of a segment's front is read for them.
  static let longest: Int64 = 1024

  /// The bytes of all tags at the start of the segment.
  var byteCount = 0
  /// The 33-bit 90 kHz time of the first sample; `nil` when no tag says.
  var time: Int64?

  /// Reads the tags at the start of `head`, which may be cut behind them.
  init(_ head: [UInt8]) {
    while head.count >= byteCount + 10, head[byteCount...].starts(with: "ID3".utf8) {
      let size = Self.synchsafe(head[(byteCount + 6)..<(byteCount + 10)])
      let hasFooter = head[byteCount + 5] & 0x10 != 0
      let end = byteCount + 10 + size + (hasFooter ? 10 : 0)
      let body = head[min(byteCount + 10, head.count)..<min(byteCount + 10 + size, head.count)]
      if time == nil { time = Self.time(in: body, isSynchsafe: head[byteCount + 3] >= 4) }
      byteCount = end
    }
  }

  private static func time(in body: ArraySlice<UInt8>, isSynchsafe: Bool) -> Int64? {
    var frame = body
    let owner = Array("com.apple.streaming.transportStreamTimestamp".utf8) + [0]
    while frame.count >= 10, let first = frame.first, first != 0 {
      let sizeBytes = frame.dropFirst(4).prefix(4)
      let size = isSynchsafe ? synchsafe(sizeBytes) : sizeBytes.reduce(0) { $0 << 8 | Int($1) }
      let content = frame.dropFirst(10).prefix(size)
      if frame.starts(with: "PRIV".utf8), content.starts(with: owner) {
        let value = content.dropFirst(owner.count).prefix(8)
        guard value.count == 8 else { return nil }
        let all = value.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        // Some packagers leave rubbish in the upper bits.
        return Int64(all & 0x1_FFFF_FFFF)
      }
      frame = frame.dropFirst(10 + size)
    }
    return nil
  }

  private static func synchsafe(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reduce(0) { $0 << 7 | Int($1 & 0x7F) }
  }
}
