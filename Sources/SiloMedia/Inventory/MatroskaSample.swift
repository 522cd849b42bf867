import SiloSystem

/// The bytes of each track in a few windows of a Matroska file, extrapolated by time.
struct MatroskaSample {
  /// One window: the blocks of each track number, and the time that all of them span.
  private struct Window {
    var tracks: [UInt64: Span] = [:]
    var seconds = 0.0

    /// Bytes a second of a track: over its own blocks, since the others of the window may lead or lag.
    func rate(of track: UInt64) -> Double {
      guard let span = tracks[track] else { return 0 }
      guard span.blockCount >= 8, span.seconds > 0.5 else {
        return Double(span.byteCount) / seconds
      }
      return Double(span.byteCount - span.lastByteCount) / span.seconds
    }
  }

  /// The blocks of one track in a window.
  private struct Span {
    var byteCount: Int64 = 0
    var blockCount = 0
    var first: Int64?
    var last: Int64 = .min
    var lastByteCount: Int64 = 0
    var seconds = 0.0

    mutating func add(_ bytes: Int64, at time: Int64) {
      byteCount += bytes
      blockCount += 1
      first = min(first ?? time, time)
      if time >= last { (last, lastByteCount) = (time, bytes) }
    }
  }

  private var windows: [Window] = []

  /// Looks at `count` windows that are spread over the clusters.
  init(_ header: MatroskaHeader, cache: RangeCache, count: Int, duration: Duration?) throws {
    guard let length = cache.byteCount, let start = header.firstCluster, start < length else {
      return
    }
    let span = length - start
    let window: Int64 = count > 2 ? 1 << 20 : 256 << 10
    if span <= window * Int64(count) {
      // The whole of a small file is one window: every block counts.
      if let read = Self.read(try cache.bytes(start..<length), tick: header.tick) {
        windows = [read]
        if let duration { windows[0].seconds = max(windows[0].seconds, duration.seconds) }
      }
      return
    }
    for index in 0..<count {
      let offset = start + span * Int64(2 * index + 1) / Int64(2 * count)
      let bytes = try cache.fetch(offset..<min(length, offset + window))
      if let read = Self.read(bytes, tick: header.tick) { windows.append(read) }
    }
  }

  /// Reads the clusters that start in `bytes`.
  private static func read(_ bytes: [UInt8], tick: Double) -> Window? {
    var window = Window()
    var (first, last): (Int64?, Int64) = (nil, 0)
    var clusterTime: Int64 = 0
    var pending: [(track: UInt64, time: Int64, byteCount: Int64)] = []
    var isInside = false
    var position = 0
    while position < bytes.count {
      if !isInside {
        guard let next = cluster(in: bytes, from: position) else { break }
        position = next
        isInside = true
      }
      guard let header = EBMLElement.Header(bytes[position...]) else { break }
      let body = position + header.headerByteCount
      switch header.id {
      case 0x1F43_B675, 0xA0: position = body  // cluster, block group: step into it
      case 0xA3, 0xA1:
        guard let size = header.payloadByteCount, size >= 4, body < bytes.count else {
          isInside = false
          position = body
          continue
        }
        var cursor = ByteCursor(bytes[body...])
        guard let track = EBMLElement.variableNumber(&cursor)?.value,
          let relative = try? cursor.u16()
        else {
          position = bytes.count
          continue
        }
        let time = clusterTime &+ Int64(Int16(bitPattern: relative))
        first = min(first ?? time, time)
        last = max(last, time)
        pending.append((track, time, size - Int64(cursor.position - body + 1)))
        position = size > Int64(bytes.count - body) ? bytes.count : body + Int(size)
      case 0xE7:
        guard let size = header.payloadByteCount, size <= 8, body + Int(size) <= bytes.count else {
          position = bytes.count
          continue
        }
        clusterTime = Int64(
          truncatingIfNeeded: bytes[body..<body + Int(size)].reduce(UInt64(0)) {
            $0 << 8 | UInt64($1)
          })
        position = body + Int(size)
      default:
        guard let size = header.payloadByteCount, size <= Int64(bytes.count - body) else {
          position = bytes.count
          continue
        }
        position = body + Int(size)
      }
    }
    for block in pending {
      window.tracks[block.track, default: Span()].add(block.byteCount, at: block.time)
    }
    window.seconds = (Double(last) - Double(first ?? 0)) * tick
    for (track, span) in window.tracks {
      window.tracks[track]?.seconds = (Double(span.last) - Double(span.first ?? 0)) * tick
    }
    return pending.isEmpty ? nil : window
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

  /// Sets the sizes that are not known yet.
  func fill(
    _ notes: inout [Int: TrackNote], streams: [StreamFacts], tracks: [MatroskaTrack],
    duration: Duration?
  ) {
    guard let total = duration?.seconds, total > 0 else { return }
    for (stream, track) in zip(streams, tracks.filter(\.isStream))
    where notes[stream.index]?.size.byteCount == nil {
      let isWhole = windows.count == 1 && (windows.first?.seconds ?? 0) >= total
      let rates = windows.filter { $0.seconds > 0.05 }.map {
        isWhole
          ? Double($0.tracks[track.number]?.byteCount ?? 0) / $0.seconds
          : $0.rate(of: track.number)
      }
      guard let low = rates.min(), let high = rates.max(), high > 0 else { continue }
      let mean = rates.reduce(0, +) / Double(rates.count)
      let basis: SizeEstimate.Basis =
        isWhole || (rates.count > 1 && high - low <= 0.16 * mean)
        ? .measured : high - low <= 0.6 * mean && stream.kind == .audio ? .declared : .assumed
      notes[stream.index]?.size = SizeEstimate(
        byteCount: Int64(exactly: (mean * total).rounded()), basis: basis)
      notes[stream.index]?.duration = duration
    }
  }
}
