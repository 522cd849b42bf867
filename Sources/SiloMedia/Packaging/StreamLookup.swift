/// Finds the n-th stream of a kind as inventories count them: without pictures that are attached.
struct StreamLookup {
  private let byKind: [TrackID.Kind: [StreamFacts]]

  init(_ streams: [StreamFacts]) {
    let real = streams.filter { !$0.dispositions.contains(.attachedPicture) }
    byKind = [
      .video: real.filter { $0.kind == .video },
      .audio: real.filter { $0.kind == .audio },
      .subtitle: real.filter { $0.kind == .subtitle },
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
      return list[track.ordinal].index
    }
  }

  /// The stream of each wanted track in a later stretch, whose streams may lie in another order; `nil` of one that is
  /// not there.
  ///
  /// Languages tell which is which, as far as both stretches name them. What they do not tell is taken by its place,
  /// unless another track has it already.
  func streams(of wanted: [Int: PackageTrack], asIn first: StreamLookup) -> [Int: Int?] {
    var found = wanted.mapValues { sameLanguage(as: $0, in: first) }
    var taken = Set(found.values.compactMap { $0 })
    for (index, track) in wanted.sorted(by: { $0.key < $1.key }) where found[index] == .some(nil) {
      let list = byKind[track.id.kind] ?? []
      guard list.indices.contains(track.ordinal) else { continue }
      if taken.insert(list[track.ordinal].index).inserted {
        found[index] = list[track.ordinal].index
      }
    }
    return found
  }

  private func sameLanguage(as track: PackageTrack, in first: StreamLookup) -> Int? {
    let old = first.byKind[track.id.kind] ?? []
    guard old.indices.contains(track.ordinal), let language = old[track.ordinal].tag else {
      return nil
    }
    let place = old[..<track.ordinal].count { $0.tag == language }
    let same = (byKind[track.id.kind] ?? []).filter { $0.tag == language }
    return same.indices.contains(place) ? same[place].index : nil
  }
}

extension StreamFacts {
  /// Its language in the canonical form; `nil` is undetermined.
  var tag: LanguageTag? { language.flatMap { LanguageTag($0) } }
}
