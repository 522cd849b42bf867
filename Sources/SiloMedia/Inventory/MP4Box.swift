/// One box of ISO/IEC 14496-12, 4.2, inside bytes that are held.
struct MP4Box {
  /// The type: `moov`.
  var type: String
  /// What is behind its header.
  var payload: ArraySlice<UInt8>

  /// The boxes that `bytes` consist of; ends at the first that is not whole.
  static func list(_ bytes: ArraySlice<UInt8>) -> [MP4Box] {
    var found: [MP4Box] = []
    var rest = bytes
    while let header = Header(rest), header.byteCount >= Int64(header.headerByteCount),
      let count = Int(exactly: header.byteCount), count <= rest.count
    {
      let payload = rest[(rest.startIndex + header.headerByteCount)..<(rest.startIndex + count)]
      found.append(MP4Box(type: header.type, payload: payload))
      rest = rest[(rest.startIndex + count)...]
    }
    return found
  }

  /// The boxes in it.
  var children: [MP4Box] { MP4Box.list(payload) }

  /// The first box of that type in it.
  func child(_ type: String) -> MP4Box? { children.first { $0.type == type } }

  /// The box at the end of a path of types.
  func descendant(_ path: String...) -> MP4Box? {
    var box: MP4Box? = self
    for type in path { box = box?.child(type) }
    return box
  }

  /// A box's length and type.
  struct Header {
    /// The type: `moov`.
    var type: String
    /// The whole box; the rest of its surroundings when the box says 0.
    var byteCount: Int64
    /// 8 or 16.
    var headerByteCount: Int
    /// Whether the box says that it reaches to the end.
    var reachesEnd: Bool

    /// The header at the start of `bytes`; `nil` when they are too few or no length.
    init?(_ bytes: ArraySlice<UInt8>, available: Int64? = nil) {
      var cursor = ByteCursor(bytes)
      guard let short = try? cursor.u32(), let type = try? cursor.fourCC() else { return nil }
      self.type = type
      reachesEnd = short == 0
      switch short {
      case 0:
        headerByteCount = 8
        byteCount = available ?? Int64(bytes.count)
      case 1:
        guard let long = try? cursor.u64(), let count = Int64(exactly: long) else { return nil }
        headerByteCount = 16
        byteCount = count
      default:
        headerByteCount = 8
        byteCount = Int64(short)
      }
      if byteCount < Int64(headerByteCount) { return nil }
    }
  }
}
