extension MP4Layout {
  private static let windowByteCount: Int64 = 64 << 10

  /// Learns when the file ends from its last fragment.
  ///
  /// The random access table at the end (ISO/IEC 14496-12, 8.8.9 to 8.8.11) says where that is: two requests. A file
  /// without the table tells nothing.
  mutating func readLastFragment(_ cache: RangeCache) throws {
    guard let length = cache.byteCount, length > Self.windowByteCount else { return }
    let tail = try cache.bytes(length - Self.windowByteCount..<length)
    var cursor = ByteCursor(tail.suffix(4))
    guard let size = try? cursor.u32(), size >= 16, Int(size) <= tail.count,
      let table = MP4Box.list(tail.suffix(Int(size))).first, table.type == "mfra",
      let entry = table.child("tfra").flatMap({ Self.lastEntry($0.payload) }),
      let track = index.tracks.firstIndex(where: { $0.id == entry.track }),
      entry.offset >= 0, entry.offset < length - 8
    else { return }
    let window = try cache.bytes(entry.offset..<min(length, entry.offset + Self.windowByteCount))
    guard let header = MP4Box.Header(window[...]), header.type == "moof",
      header.byteCount <= Int64(window.count)
    else { return }
    let before = index.tracks[track].ticks
    let moof = window[header.headerByteCount..<Int(header.byteCount)]
    index.add(fragment: moof)
    let ticks = entry.time &+ (index.tracks[track].ticks &- before)
    let timescale = index.tracks[track].timescale
    guard timescale > 0, ticks > 0 else { return }
    end = TimeBase(1, Int32(clamping: timescale)).duration(of: ticks)
  }

  /// The last entry of a `tfra` box: the track, its time in ticks, and where the fragment starts.
  private static func lastEntry(_ payload: ArraySlice<UInt8>)
    -> (track: UInt32, time: Int64, offset: Int64)?
  {
    var cursor = ByteCursor(payload)
    guard let version = try? cursor.u8(), (try? cursor.skip(3)) != nil,
      let track = try? cursor.u32(), let widths = try? cursor.u32(),
      let count = try? cursor.u32(), count > 0
    else { return nil }
    let field = version == 1 ? 8 : 4
    let numbers = Int(widths >> 4 & 3) + Int(widths >> 2 & 3) + Int(widths & 3) + 3
    let (skipped, overflow) = Int(count - 1).multipliedReportingOverflow(by: 2 * field + numbers)
    guard !overflow, (try? cursor.skip(skipped)) != nil, let time = try? cursor.number(field),
      let offset = try? cursor.number(field)
    else { return nil }
    return (track, Int64(clamping: time), Int64(clamping: offset))
  }
}
