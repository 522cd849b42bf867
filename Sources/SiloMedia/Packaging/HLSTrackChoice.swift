/// Which tracks of a file HLS carries, and why the others stay behind.
struct HLSTrackChoice: Sendable {
  var tracks: [HLSTrack] = []
  var leftOut: [String] = []

  /// Goes through the streams in the order of the file.
  init(_ scan: FragmentScan) {
    var counts: [TrackID.Kind: Int] = [:]
    for facts in scan.streams where !facts.dispositions.contains(.attachedPicture) {
      let kind: TrackID.Kind
      switch facts.kind {
      case .video: kind = .video
      case .audio: kind = .audio
      case .subtitle: kind = .subtitle
      default: continue
      }
      let id = TrackID(kind, counts[kind, default: 0])
      counts[kind, default: 0] += 1
      let codec = facts.codec?.name ?? "unknown codec"
      guard let track = HLSTrack(facts, id: id) else {
        leftOut.append("\(id) (\(codec)) cannot be carried by HLS")
        continue
      }
      if kind == .video, tracks.contains(where: { $0.id.kind == .video }) {
        leftOut.append("\(id) (\(codec)) is a second video")
      } else if kind != .subtitle, scan.indexes[facts.index]?.packets.isEmpty != false {
        leftOut.append("\(id) (\(codec)) has no packets")
      } else {
        tracks.append(track)
      }
    }
    tracks.sort { $0.id < $1.id }
  }
}
