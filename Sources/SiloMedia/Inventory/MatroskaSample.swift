import SiloSystem

/// The bytes of each track in a few windows of a Matroska file, extrapolated by time.
struct MatroskaSample {
  /// What all requests for one source together ask for, unless its headers need more.
  private static let byteBudget: Int64 = 1 << 20

  private var windows: [MatroskaWindow] = []

  /// Looks at `count` windows that are spread over the clusters.
  init(_ header: MatroskaHeader, cache: RangeCache, count: Int, duration: Duration?) throws {
    guard let length = cache.byteCount, let start = header.firstCluster, start < length else {
      return
    }
    let span = length - start
    let left = (Self.byteBudget - cache.fetchedByteCount) / Int64(count)
    let window: Int64 = count > 2 ? 1 << 20 : min(256 << 10, max(64 << 10, left))
    if span <= window * Int64(count) {
      // The whole of a small file is one window: every block counts.
      if let read = MatroskaWindow(try cache.bytes(start..<length), tick: header.tick) {
        windows = [read]
        if let duration { windows[0].seconds = max(windows[0].seconds, duration.seconds) }
      }
      return
    }
    for index in 0..<count {
      let offset = start + span * Int64(2 * index + 1) / Int64(2 * count)
      let bytes = try cache.fetch(offset..<min(length, offset + window), isHeld: false)
      if let read = MatroskaWindow(bytes, tick: header.tick) { windows.append(read) }
    }
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
