extension MediaInventory {
  /// The bytes of the chosen tracks: the whole file's when all of it is chosen, otherwise their sum.
  ///
  /// A subtitle track of unknown size is left out and makes the sum less sure instead: it is small.
  public func size(of selection: TrackSelection) -> SizeEstimate {
    if kind == .file, size.byteCount != nil, isWhole(selection) { return size }
    var sum = SizeEstimate(byteCount: 0, basis: .exact)
    for track in video where selection.video.contains(track.id) { sum = sum + track.size }
    for track in audio where selection.audio.contains(track.id) { sum = sum + track.size }
    for track in subtitles where selection.subtitles.contains(track.id) {
      let isBitmap = ["hdmv_pgs_subtitle", "dvd_subtitle", "dvb_subtitle", "xsub"]
        .contains(track.codec.name)
      let little = SizeEstimate(byteCount: 0, basis: isBitmap ? .declared : .measured)
      sum = sum + (track.size.byteCount == nil ? little : track.size)
    }
    return selection.tracks.isEmpty ? .unknown : sum
  }

  /// Whether every track is chosen, so that a plain file can be stored as it is.
  public func isWhole(_ selection: TrackSelection) -> Bool {
    selection.video.count == video.count && selection.audio.count == audio.count
      && selection.subtitles.count == subtitles.count
  }
}
