/// Room for the BCP-47 language of a Matroska track, which libavformat does not write.
///
/// The muxer is given a longer name than the track has; in the finished file, that element makes room for the name and
/// the language (RFC 9559, 5.1.4.1), and nothing moves.
struct MatroskaNameRoom: Hashable {
  private static let voidByteCount = 2

  /// The title of the track.
  let title: String?
  /// The language to be written.
  let language: String

  /// What the muxer is told instead of the title.
  var placeholder: String {
    var total = elements.count
    // The length of a length makes some totals impossible: then an empty Void fills up.
    if Self.textCount(total) == nil { total += Self.voidByteCount }
    return String(repeating: "-", count: Self.textCount(total) ?? total)
  }

  /// The bytes that take the place of the element with the placeholder, of the same number.
  func replacement(of byteCount: Int) -> [UInt8]? {
    let elements = elements
    switch byteCount - elements.count {
    case 0: return elements
    case Self.voidByteCount: return elements + [0xEC, 0x80]
    default: return nil
    }
  }

  private var elements: [UInt8] {
    var bytes: [UInt8] = []
    if let title, !title.isEmpty { bytes += [0x53, 0x6E] + Self.sized(title) }
    return bytes + [0x22, 0xB5, 0x9D] + Self.sized(language)
  }

  private static func sized(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    return lengthCount(bytes.count) == 1
      ? [0x80 | UInt8(bytes.count)] + bytes
      : [0x40 | UInt8(clamping: bytes.count >> 8), UInt8(bytes.count & 0xFF)] + bytes
  }

  /// The length of a Name's text so that the whole element has `total` bytes.
  private static func textCount(_ total: Int) -> Int? {
    [1, 2].map { (count: total - 2 - $0, size: $0) }
      .first { $0.count >= 0 && lengthCount($0.count) == $0.size }?.count
  }

  /// The bytes of a length; texts of 16 KiB and more are not written here.
  private static func lengthCount(_ count: Int) -> Int { count < 127 ? 1 : 2 }
}

/// The changes to a Matroska file's track list that make use of that room.
struct MatroskaTracksEdit {
  /// What is written over the file, by place.
  private(set) var patches: [(offset: Int64, bytes: [UInt8])] = []

  /// The changes to the `head` of a file, by the track's place in the list; `nil` when one has no room.
  init?(head: [UInt8], rooms: [Int: MatroskaNameRoom]) {
    guard let header = EBMLElement.list(head[...]).first,
      let segment = EBMLElement.Header(head[header.whole.endIndex...])
    else { return nil }
    let rest = head[(header.whole.endIndex + segment.headerByteCount)...]
    guard let tracks = EBMLElement.list(rest).first(where: { $0.id == 0x1654_AE6B })
    else { return nil }
    let entries = tracks.children.filter { $0.id == 0xAE }
    for (index, room) in rooms.sorted(by: { $0.key < $1.key }) {
      guard entries.indices.contains(index),
        let name = entries[index].children.first(where: { $0.id == 0x536E }),
        let bytes = room.replacement(of: name.whole.count)
      else { return nil }
      patches.append((Int64(name.whole.startIndex), bytes))
    }
  }
}
