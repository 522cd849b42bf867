extension MediaPlaylistReader {
  /// Takes one tag.
  mutating func readTag(_ line: PlaylistLine) throws(MediaError) {
    let (name, value) = line.tag
    switch name {
    case "EXTINF": readDuration(line, value)
    case "EXT-X-BYTERANGE": try readByteRange(line, value)
    case "EXT-X-DISCONTINUITY": discontinuity += 1
    case "EXT-X-KEY": try readKey(line, try draft.attributes(line, name, value))
    case "EXT-X-MAP": try readInitSection(line, try draft.attributes(line, name, value))
    case "EXT-X-GAP": isGap = true
    case "EXT-X-PROGRAM-DATE-TIME":
      date = PlaylistDate.parse(String(decoding: value, as: UTF8.self))
      if date == nil { draft.warnings.note(line.number, "\(name) is no date") }
    case "EXT-X-BITRATE":
      let kilobits = PlaylistNumber.integer(value).flatMap { $0 < 1 << 40 ? Int($0) : nil }
      bitsPerSecond = kilobits.map { $0 * 1000 }
    case "EXT-X-DATERANGE":
      readDateRange(line, try draft.attributes(line, name, value))
    default:
      if try readPlaylistTag(line, name, value) { return }
      if try draft.readCommon(line, name, value, mayImport: true) { return }
      draft.warnings.note(line.number, "\(PlaylistText.quoted(name.utf8)) is not used")
    }
  }

  /// The tags that describe the whole playlist; false for any other.
  private mutating func readPlaylistTag(
    _ line: PlaylistLine, _ name: String, _ value: ArraySlice<UInt8>
  ) throws(MediaError) -> Bool {
    switch name {
    case "EXT-X-TARGETDURATION": break
    case "EXT-X-ENDLIST": hasEnd = true
    case "EXT-X-I-FRAMES-ONLY": isIFramesOnly = true
    case "EXT-X-MEDIA-SEQUENCE":
      guard segments.isEmpty else {
        draft.warnings.warn(line.number, "\(name) after a segment is left out")
        break
      }
      if let number = PlaylistNumber.integer(value).flatMap({ Int(exactly: $0) }) {
        mediaSequence = number
      } else {
        draft.warnings.warn(line.number, "\(name) is no number: 0 is assumed")
      }
    case "EXT-X-DISCONTINUITY-SEQUENCE":
      if segments.isEmpty, discontinuity == 0, let number = PlaylistNumber.integer(value),
        number < 1 << 40
      {
        discontinuity = Int(number)
      } else {
        draft.warnings.warn(line.number, "\(name) is no number or comes too late: it is left out")
      }
    case "EXT-X-PLAYLIST-TYPE":
      kind = MediaPlaylist.Kind(rawValue: String(decoding: value, as: UTF8.self).uppercased())
      if kind == nil { draft.warnings.warn(line.number, "\(name) is neither VOD nor EVENT") }
    case "EXT-X-SKIP":
      throw draft.error(line, "this is only the change to an earlier playlist, not a whole one")
    default: return false
    }
    return true
  }

  private mutating func readDuration(_ line: PlaylistLine, _ value: ArraySlice<UInt8>) {
    hasDuration = true
    (duration, title) = (nil, nil)
    var rest = value
    if let (seconds, length) = PlaylistNumber.duration(value) {
      rest = value.dropFirst(length).trimmed
      if seconds < .zero {
        draft.warnings.warn(line.number, "EXTINF is negative: 0 is assumed")
      } else if rest.isEmpty {
        draft.warnings.note(line.number, "EXTINF without a comma")
      } else if rest.first != 0x2C {
        draft.warnings.note(line.number, "EXTINF with text before its comma")
      }
      duration = max(.zero, seconds)
    }
    guard let comma = AttributeList.unquotedComma(in: rest) else { return }
    let text = rest[comma...].dropFirst().trimmed
    if !text.isEmpty { title = String(decoding: text, as: UTF8.self) }
  }

  private mutating func readByteRange(
    _ line: PlaylistLine, _ value: ArraySlice<UInt8>
  ) throws(MediaError) {
    guard let (length, offset) = Self.byteRange(value) else {
      throw draft.error(line, "EXT-X-BYTERANGE is no “length” or “length@offset”")
    }
    byteRange = (line, length, offset)
  }

  /// `length` or `length@offset`; an empty offset is none.
  private static func byteRange(_ value: ArraySlice<UInt8>) -> (Int64, Int64?)? {
    let at = value.firstIndex(of: 0x40) ?? value.endIndex
    guard let length = PlaylistNumber.integer(value[value.startIndex..<at].trimmed), length > 0
    else { return nil }
    let text = value[at...].dropFirst().trimmed
    if text.isEmpty { return (length, nil) }
    guard let offset = PlaylistNumber.integer(text) else { return nil }
    return (length, offset)
  }

  /// Keys of different formats are alternatives; one of the same format replaces it (RFC 8216, 4.3.2.4).
  private mutating func readKey(
    _ line: PlaylistLine, _ list: AttributeList
  ) throws(MediaError) {
    let key: SegmentKey?
    do {
      key = try SegmentKey(list, address: draft.address)
    } catch {
      throw draft.error(line, "EXT-X-KEY \(error.reason)")
    }
    guard let key else {
      keys = []
      return
    }
    keySightings.append(KeySighting(line: line.number, tag: "EXT-X-KEY", key: key))
    keys.removeAll { $0.format == key.format }
    keys.append(key)
  }

  private mutating func readInitSection(
    _ line: PlaylistLine, _ list: AttributeList
  ) throws(MediaError) {
    guard let reference = list.text("URI") else {
      throw draft.error(line, "EXT-X-MAP has no URI")
    }
    let url = try draft.resolve(reference, line, "the init section")
    var range: Range<Int64>?
    if let text = list.text("BYTERANGE") {
      guard let (length, given) = Self.byteRange(ArraySlice(Array(text.utf8))),
        case let offset = given ?? 0, !offset.addingReportingOverflow(length).overflow
      else { throw draft.error(line, "EXT-X-MAP has a BYTERANGE that is no “length@offset”") }
      if given == nil {
        draft.warnings.warn(line.number, "EXT-X-MAP without an offset: 0 is assumed")
      }
      range = offset..<(offset + length)
    }
    // A section has no media sequence number to count an IV from (rfc8216bis, 4.4.4.5).
    if let key = keys.first(where: { $0.isPlain }), key.method == .aes128, key.explicitIV == nil {
      throw draft.error(line, "EXT-X-MAP is encrypted by a key without an explicit IV")
    }
    initSection = InitSection(url: url, byteRange: range, keys: keys)
  }

  private mutating func readDateRange(_ line: PlaylistLine, _ list: AttributeList) {
    guard let id = list.text("ID") else {
      draft.warnings.note(line.number, "EXT-X-DATERANGE without ID is left out")
      return
    }
    dateRanges.append(
      PlaylistDateRange(
        id: id, classification: list.text("CLASS"),
        start: list.text("START-DATE").flatMap(PlaylistDate.parse),
        end: list.text("END-DATE").flatMap(PlaylistDate.parse),
        duration: list.duration("DURATION") ?? list.duration("PLANNED-DURATION"),
        attributes: list.dictionary))
  }
}

extension AttributeList {
  /// The first comma outside quotes.
  static func unquotedComma(in bytes: ArraySlice<UInt8>) -> Int? {
    var isQuoted = false
    for index in bytes.indices {
      if bytes[index] == 0x22 { isQuoted.toggle() }
      if bytes[index] == 0x2C && !isQuoted { return index }
    }
    // A quote that is never closed hides nothing.
    return bytes.firstIndex(of: 0x2C)
  }
}
