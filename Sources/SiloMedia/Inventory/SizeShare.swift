/// What remains of a file for the one large track when the others are estimated.
enum SizeShare {
  /// The notes with the size of the only video stream set to what the other streams leave of `total`.
  ///
  /// An error in a small track is a small error of the large one: the basis follows from the doubt in bytes.
  static func filled(_ notes: [Int: TrackNote], streams: [StreamFacts], total: Int64?)
    -> [Int: TrackNote]
  {
    let pictures = streams.filter {
      $0.kind == .video && !$0.dispositions.contains(.attachedPicture)
    }
    guard let total, pictures.count == 1, let video = pictures.first else { return notes }
    var notes = notes
    var rest = Double(total)
    var doubt = 0.0
    for stream in streams where stream.index != video.index {
      guard stream.kind == .audio || stream.kind == .subtitle,
        notes[stream.index]?.isHidden != true
      else { continue }
      guard let size = notes[stream.index]?.size, let bytes = size.byteCount else {
        if stream.kind == .audio { return notes }
        continue
      }
      rest -= Double(bytes)
      doubt += Double(bytes) * (size.basis == .measured ? 0.1 : size.basis == .exact ? 0 : 0.4)
    }
    guard rest > 0, let bytes = Int64(exactly: (rest * 0.998).rounded()) else { return notes }
    let basis: SizeEstimate.Basis =
      doubt <= 0.08 * rest ? .measured : doubt <= 0.35 * rest ? .declared : .assumed
    let old = notes[video.index]?.size ?? .unknown
    guard old.byteCount == nil || basis < old.basis else { return notes }
    notes[video.index, default: TrackNote()].size = SizeEstimate(byteCount: bytes, basis: basis)
    return notes
  }
}
