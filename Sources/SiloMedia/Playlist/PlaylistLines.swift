/// One line of a playlist, without its line end and the blanks around it.
struct PlaylistLine {
  /// From 1.
  var number: Int
  /// What it holds.
  var bytes: ArraySlice<UInt8>

  /// Whether the line is a tag: `#EXT…` (RFC 8216, 4.1).
  var isTag: Bool { bytes.hasPrefix(Self.mark) }
  /// Whether the line is a comment: `#` and no tag.
  var isComment: Bool { bytes.first == 0x23 && !isTag }

  private static let mark = Array("#EXT".utf8)

  /// The name of a tag without `#`, and what follows its colon.
  var tag: (name: String, value: ArraySlice<UInt8>) {
    let inside = bytes.dropFirst()
    let colon = inside.firstIndex(of: 0x3A) ?? inside.endIndex
    let name = inside[inside.startIndex..<colon].trimmed
    return (String(decoding: name, as: UTF8.self), inside[colon...].dropFirst().trimmed)
  }
}

extension ArraySlice<UInt8> {
  /// Whether it begins with `prefix`.
  func hasPrefix(_ prefix: [UInt8]) -> Bool {
    guard count >= prefix.count else { return false }
    var index = startIndex
    for byte in prefix {
      if self[index] != byte { return false }
      index += 1
    }
    return true
  }
}

/// The lines of a playlist that hold something, whatever ends them, and the quirks of the text as such.
struct PlaylistLines {
  private(set) var lines: [PlaylistLine] = []
  /// The number of the last line.
  private(set) var count = 0

  /// Cuts `bytes` at LF, CR LF or CR in one pass.
  init(_ bytes: [UInt8], warnings: inout PlaylistWarnings) {
    var start = bytes.startIndex
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      start = 3
      warnings.note(1, "byte order mark skipped")
    }
    lines.reserveCapacity(bytes.count / 32)
    var index = start
    while index <= bytes.endIndex {
      let isEnd = index == bytes.endIndex
      guard isEnd || bytes[index] == 0x0A || bytes[index] == 0x0D else {
        index += 1
        continue
      }
      if isEnd && index == start { break }
      count += 1
      add(bytes[start..<index], &warnings)
      if !isEnd && bytes[index] == 0x0D {
        if index + 1 < bytes.endIndex, bytes[index + 1] == 0x0A {
          warnings.note(count, "lines end with CR LF")
          index += 1
        } else {
          warnings.note(count, "lines end with CR alone")
        }
      }
      index += 1
      start = index
      if isEnd { break }
    }
  }

  private mutating func add(_ raw: ArraySlice<UInt8>, _ warnings: inout PlaylistWarnings) {
    guard let first = raw.first, let last = raw.last else { return }
    var line = raw
    if first == 0x20 || first == 0x09 || last == 0x20 || last == 0x09 {
      line = raw.trimmed
      if line.isEmpty { return }
      warnings.note(count, "blanks around a line are left out")
    }
    lines.append(PlaylistLine(number: count, bytes: line))
  }
}
