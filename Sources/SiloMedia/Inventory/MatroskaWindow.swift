/// The blocks of a part of a Matroska file by their track's number, and the time that all of them span.
struct MatroskaWindow {
  /// The blocks of one track.
  struct Span {
    private(set) var byteCount: Int64 = 0
    private(set) var blockCount = 0
    private(set) var first: Int64?
    private(set) var last: Int64 = .min
    private(set) var lastByteCount: Int64 = 0
    private(set) var leastByteCount: Int64 = .max
    private(set) var mostByteCount: Int64 = 0
    var seconds = 0.0

    mutating func add(_ bytes: Int64, at time: Int64) {
      byteCount += bytes
      blockCount += 1
      leastByteCount = min(leastByteCount, bytes)
      mostByteCount = max(mostByteCount, bytes)
      first = min(first ?? time, time)
      if time >= last { (last, lastByteCount) = (time, bytes) }
    }
  }

  private(set) var tracks: [UInt64: Span] = [:]
  var seconds = 0.0

  private var first: Int64?
  private var last: Int64 = 0
  private var clusterTime: Int64 = 0

  /// Reads the clusters that start in `bytes`; `nil` when there is no block in them.
  ///
  /// - Parameter tick: The seconds that one unit of the file's timestamps lasts.
  init?(_ bytes: [UInt8], tick: Double) {
    var next = Self.cluster(in: bytes, from: 0)
    while let position = next, position < bytes.count,
      let header = EBMLElement.Header(bytes[position...])
    {
      next = step(over: header, body: position + header.headerByteCount, in: bytes)
    }
    guard let first else { return nil }
    seconds = (Double(last) - Double(first)) * tick
    for (track, span) in tracks {
      tracks[track]?.seconds = (Double(span.last) - Double(span.first ?? 0)) * tick
    }
  }

  /// Bytes a second of a track: over its own blocks, since the others of the window may lead or lag.
  func rate(of track: UInt64) -> Double {
    guard let span = tracks[track] else { return 0 }
    guard span.blockCount >= 8, span.seconds > 0.5 else { return Double(span.byteCount) / seconds }
    return Double(span.byteCount - span.lastByteCount) / span.seconds
  }

  /// Takes in one element; returns where the next one starts, `nil` when that cannot be told.
  private mutating func step(
    over header: EBMLElement.Header, body: Int, in bytes: [UInt8]
  ) -> Int? {
    let (size, left) = (header.payloadByteCount, Int64(bytes.count - body))
    switch header.id {
    case 0x1F43_B675, 0xA0:  // cluster, block group: step into it
      return body
    case 0xA3, 0xA1:
      guard let size, size >= 4, left > 0 else { return Self.cluster(in: bytes, from: body) }
      guard count(block: bytes[body...], byteCount: size) else { return nil }
      return size > left ? nil : body + Int(size)
    case 0xE7:
      guard let size, size <= min(8, left) else { return nil }
      let end = body + Int(size)
      clusterTime = Int64(
        truncatingIfNeeded: bytes[body..<end].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
      return end
    default:
      guard let size, size <= left else { return nil }
      return body + Int(size)
    }
  }

  /// Counts a block of `byteCount` bytes by the head that is there; false when that is cut off.
  private mutating func count(block: ArraySlice<UInt8>, byteCount: Int64) -> Bool {
    var cursor = ByteCursor(block)
    guard let track = EBMLElement.variableNumber(&cursor)?.value, let relative = try? cursor.u16()
    else { return false }
    let time = clusterTime &+ Int64(Int16(bitPattern: relative))
    first = min(first ?? time, time)
    last = max(last, time)
    // Behind the number and the time stands a byte of flags.
    let payload = byteCount - Int64(cursor.position - block.startIndex + 1)
    tracks[track, default: Span()].add(payload, at: time)
    return true
  }

  private static func cluster(in bytes: [UInt8], from start: Int) -> Int? {
    var index = start
    while index + 4 <= bytes.count {
      if bytes[index] == 0x1F, bytes[index + 1] == 0x43, bytes[index + 2] == 0xB6,
        bytes[index + 3] == 0x75
      {
        return index
      }
      index += 1
    }
    return nil
  }
}
