import SiloSystem

/// What the media that came with the headers of a Matroska file tell of the bytes of its tracks: no request more.
///
/// The start of a film stands for the rest less well than places within it do: what is not of constant rate by nature is a
/// declared or an assumed number, and where such numbers are much of the file, nothing is told.
struct MatroskaOpening {
  private let window: MatroskaWindow

  /// Reads the clusters that `cache` holds behind the headers; `nil` without any, and when all of the file is at hand.
  init?(_ header: MatroskaHeader, cache: RangeCache) {
    guard let start = header.firstCluster, let length = cache.byteCount, start < length,
      cache.lookUp(start..<length) == nil,
      let window = MatroskaWindow(cache.held(from: start), tick: header.tick)
    else { return nil }
    self.window = window
  }

  /// `notes` with the sizes of pictures and sound that are not known yet; `nil` when the opening tells too little of them.
  func filled(
    _ notes: [Int: TrackNote], streams: [StreamFacts], tracks: [MatroskaTrack], total: Int64?,
    duration: Duration?
  ) -> [Int: TrackNote]? {
    guard let total, let seconds = duration?.seconds, seconds > 0 else { return nil }
    var notes = notes
    var doubt = 0.0
    for (stream, track) in zip(streams, tracks.filter(\.isStream))
    where stream.kind == .audio && notes[stream.index]?.size.byteCount == nil {
      guard let size = size(of: track.number, codec: stream.codec, seconds: seconds),
        let bytes = size.byteCount
      else { return nil }
      doubt += Double(bytes) * Self.doubt(of: size.basis)
      notes[stream.index]?.size = size
      notes[stream.index]?.duration = duration
    }
    guard doubt <= 0.1 * Double(total) else { return nil }
    let filled = SizeShare.filled(notes, streams: streams, total: total)
    let isTold = streams.allSatisfy {
      $0.kind != .video || filled[$0.index]?.size.byteCount != nil
    }
    return isTold ? filled : nil
  }

  /// The bytes of a track of sound; `nil` when there are too few blocks, or when it is all but silent here.
  private func size(of track: UInt64, codec: Codec?, seconds: Double) -> SizeEstimate? {
    guard let span = window.tracks[track], span.blockCount >= 2, span.seconds > 0 else {
      return nil
    }
    let mean = Double(span.byteCount) / Double(span.blockCount)
    let rate = mean * Double(span.blockCount - 1) / span.seconds
    let isEven = span.mostByteCount - span.leastByteCount <= span.mostByteCount / 50
    let isConstant = isEven && (codec.map(HLSSize.isConstant) ?? false)
    guard isConstant || rate >= Self.leastRate,
      let bytes = Int64(exactly: (rate * seconds).rounded()), bytes > 0
    else { return nil }
    return SizeEstimate(
      byteCount: bytes,
      basis: isConstant ? .measured : span.blockCount >= 8 ? .declared : .assumed)
  }

  /// Bytes a second; sound below it is silence before the film begins.
  private static let leastRate = 3000.0

  /// The part of a number that it may be wrong by.
  private static func doubt(of basis: SizeEstimate.Basis) -> Double {
    switch basis {
    case .exact: 0
    case .measured: 0.1
    case .declared: 0.4
    case .assumed: 1
    }
  }
}
