/// Reads at which raw time segments start, out of their first bytes.
struct SegmentClock {
  /// Reads the spool.
  var reader: SpoolReader

  private static let headByteCount: Int64 = 16 << 10
  private static let longestHead: Int64 = 256 << 10

  /// The raw 90 kHz time of each segment, folded after 33 bits or not; `nil` where it cannot be told, or not yet.
  func times() throws -> [Int64?] {
    let segments = reader.input.segments
    guard reader.input.form == .media, segments.count > 1 else { return [] }
    var known: [Int: [UInt32: TrackScale]] = [:]
    return try segments.map { segment in
      guard let length = reader.knownByteCount(of: segment.part) else { return nil }
      var scales: [UInt32: TrackScale] = [:]
      if let section = segment.initPart {
        scales = try known[section] ?? Self.scales(reader.bytes(of: section))
        known[section] = scales
      }
      for count in [Self.headByteCount, Self.longestHead] {
        let head = try reader.head(of: segment.part, count: count)
        if let time = Self.time(head, scales: scales) { return time }
        if count >= length { break }
      }
      return nil
    }
  }

  /// The time that the first bytes of a segment tell.
  static func time(_ head: [UInt8], scales: [UInt32: TrackScale]) -> Int64? {
    if head.first == 0x47 { return transportTime(head) }
    if head.starts(with: "ID3".utf8) { return PackedAudioTag(head).time }
    return fragmentTime(head, scales: scales)
  }

  /// The first presentation time in a transport stream (ISO/IEC 13818-1, 2.4.3.6).
  private static func transportTime(_ head: [UInt8]) -> Int64? {
    var start = 0
    while start + 188 <= head.count, head[start] == 0x47 {
      defer { start += 188 }
      guard head[start + 1] & 0x40 != 0, head[start + 3] & 0x10 != 0 else { continue }
      let skipped = head[start + 3] & 0x20 != 0 ? 1 + Int(head[start + 4]) : 0
      let packet = head[min(start + 4 + skipped, start + 188)..<start + 188]
      guard packet.count >= 14, packet.starts(with: [0, 0, 1]) else { continue }
      let bytes = Array(packet.prefix(14))
      guard bytes[3] == 0xBD || (0xC0...0xEF).contains(bytes[3]), bytes[7] & 0x80 != 0 else {
        continue
      }
      return Int64(bytes[9] >> 1 & 7) << 30 | Int64(bytes[10]) << 22 | Int64(bytes[11] >> 1) << 15
        | Int64(bytes[12]) << 7 | Int64(bytes[13] >> 1)
    }
    return nil
  }

  /// The decode time of the first fragment (ISO/IEC 14496-12, 8.8.12).
  private static func fragmentTime(_ head: [UInt8], scales: [UInt32: TrackScale]) -> Int64? {
    guard let fragment = MP4Box.list(head[...]).first(where: { $0.type == "moof" }) else {
      return nil
    }
    for run in fragment.children where run.type == "traf" {
      guard let header = run.child("tfhd"), let time = run.child("tfdt") else { continue }
      var (id, decode) = (ByteCursor(header.payload), ByteCursor(time.payload))
      guard (try? id.skip(4)) != nil, let track = try? id.u32(), let version = try? decode.u8(),
        (try? decode.skip(3)) != nil, let ticks = try? decode.number(version == 1 ? 8 : 4),
        let ticks = Int64(exactly: ticks), let scale = scales[track]
      else { continue }
      return scale.time(ofDecode: ticks)
    }
    return nil
  }

  /// The clocks of the tracks of an init section.
  private static func scales(_ initSection: [UInt8]) -> [UInt32: TrackScale] {
    guard let movie = MP4Box.list(initSection[...]).first(where: { $0.type == "moov" }) else {
      return [:]
    }
    let tracks = movie.children.filter { $0.type == "trak" }
    return Dictionary(
      tracks.map { (MP4Track($0).id, TrackScale($0, movie: movie)) },
      uniquingKeysWith: { first, _ in first })
  }
}

/// How times of one track of an fMP4 rendition lie on its raw clock.
struct TrackScale: Hashable {
  private var timescale: Int64
  /// What the edit list adds, in 90 kHz.
  private var offset: Int64 = 0

  /// Of a track box of the index.
  init(_ track: MP4Box, movie: MP4Box) {
    timescale = Int64(max(1, MP4Track(track).timescale))
    guard let list = track.descendant("edts", "elst"), let version = list.payload.first else {
      return
    }
    // The movie's ticks stand where a media header has the track's.
    var header = ByteCursor(movie.child("mvhd")?.payload ?? [])
    let isLong = (try? header.u8()) == 1
    guard (try? header.skip(isLong ? 19 : 11)) != nil, let ticks = try? header.u32(), ticks > 0
    else { return }
    var cursor = ByteCursor(list.payload.dropFirst(4))
    let size = version == 1 ? 8 : 4
    guard let count = try? cursor.u32() else { return }
    for _ in 0..<min(count, 16) {
      guard let length = try? cursor.number(size), let media = try? cursor.number(size),
        (try? cursor.skip(4)) != nil
      else { return }
      if media == (version == 1 ? .max : UInt64(UInt32.max)) {
        offset &+= Self.scaled(Int64(clamping: length), Int64(ticks))
      } else {
        offset &-= Self.scaled(Int64(clamping: media), timescale)
        return
      }
    }
  }

  /// The raw 90 kHz time of a decode time.
  func time(ofDecode ticks: Int64) -> Int64 { Self.scaled(ticks, timescale) &+ offset }

  private static func scaled(_ ticks: Int64, _ timescale: Int64) -> Int64 {
    Int64(clamping: Int128(ticks) * 90_000 / Int128(timescale))
  }
}
