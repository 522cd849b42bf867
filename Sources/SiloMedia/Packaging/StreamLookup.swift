/// Finds the n-th stream of a kind as inventories count them: without pictures that are attached.
struct StreamLookup {
  private let byKind: [TrackID.Kind: [Int]]

  init(_ streams: [StreamFacts]) {
    let real = streams.filter { !$0.dispositions.contains(.attachedPicture) }
    byKind = [
      .video: real.filter { $0.kind == .video }.map(\.index),
      .audio: real.filter { $0.kind == .audio }.map(\.index),
      .subtitle: real.filter { $0.kind == .subtitle }.map(\.index),
    ]
  }

  /// The stream of each wanted track; throws when one is not there.
  func streams(of wanted: [Int: PackageTrack], name: String) throws -> [Int: Int] {
    try wanted.mapValues { track in
      let list = byKind[track.id.kind] ?? []
      guard list.indices.contains(track.ordinal) else {
        throw MediaError(
          .notFound, "The track \(track.id) is not in what was downloaded; fetch it again.",
          subject: name)
      }
      return list[track.ordinal]
    }
  }
}
