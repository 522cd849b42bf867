/// How much room is left for the index of an MP4 file before its media, from what is known before the copy.
enum MovieIndexRoom {
  /// One track of the file.
  struct Track: Hashable {
    /// What it carries.
    var kind: TrackID.Kind
    /// Its packets.
    var expected: ExpectedPackets
  }

  /// The room in bytes, a tenth more than is needed for the usual order of packets.
  ///
  /// A packet needs 4 bytes for its size, 4 (8 beyond 4 GiB) for its place where tracks take turns, 8 for its time
  /// where times are rounded, and pictures 8 for the distance between decoding and showing (ISO/IEC 14496-12, 8.6, 8.7).
  static func byteCount(for tracks: [Track], mediaByteCount: Int64?, otherByteCount: Int) -> Int {
    let place: Int64 = (mediaByteCount ?? 0) > 4_000_000_000 ? 8 : 4
    var sum: Int64 = 0
    for track in tracks {
      var each: Int64 = 4 + (tracks.count > 1 ? place + 2 : 0) + (track.expected.isRounded ? 6 : 0)
      if track.kind == .video { each += 8 + 1 }
      // Between two texts stands an empty one.
      if track.kind == .subtitle { each = 2 * (4 + place + 8 + 4) }
      sum += min(max(track.expected.count, 0), 1 << 32) * each
    }
    return Int(clamping: sum + sum / 10 + Int64(otherByteCount) + 2048 * Int64(tracks.count + 1))
  }
}
