/// Reads big-endian numbers from bytes of outside; running over the end is an error, never a trap.
struct ByteCursor {
  /// There are fewer bytes than a field needs.
  struct Ended: Error {}

  private let bytes: ArraySlice<UInt8>
  /// The next byte that is read.
  private(set) var position: Int

  /// A cursor at the start of `bytes`.
  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  /// The number of bytes that are left.
  var rest: Int { bytes.endIndex - position }

  /// Steps over `count` bytes.
  mutating func skip(_ count: Int) throws(Ended) {
    guard count >= 0, count <= rest else { throw Ended() }
    position += count
  }

  /// The next `count` bytes.
  mutating func take(_ count: Int) throws(Ended) -> ArraySlice<UInt8> {
    guard count >= 0, count <= rest else { throw Ended() }
    defer { position += count }
    return bytes[position..<position + count]
  }

  /// The next `count` bytes as a number; `count` is 1 to 8.
  mutating func number(_ count: Int) throws(Ended) -> UInt64 {
    try take(count).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The next byte.
  mutating func u8() throws(Ended) -> UInt8 {
    guard position < bytes.endIndex else { throw Ended() }
    defer { position += 1 }
    return bytes[position]
  }

  /// The next two bytes.
  mutating func u16() throws(Ended) -> UInt16 { UInt16(truncatingIfNeeded: try number(2)) }

  /// The next four bytes.
  mutating func u32() throws(Ended) -> UInt32 {
    guard rest >= 4 else { throw Ended() }
    defer { position += 4 }
    return UInt32(bytes[position]) << 24 | UInt32(bytes[position + 1]) << 16
      | UInt32(bytes[position + 2]) << 8 | UInt32(bytes[position + 3])
  }

  /// The next eight bytes.
  mutating func u64() throws(Ended) -> UInt64 { try number(8) }

  /// The next four bytes as text, `moov`.
  mutating func fourCC() throws(Ended) -> String {
    String(decoding: try take(4), as: UTF8.self)
  }
}
