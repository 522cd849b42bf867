/// A fact about tracks that a container cannot keep.
enum PackageLoss: Hashable {
  /// That an audio track carries the original language.
  case original
  /// That a subtitle track is a commentary.
  case commentaryText
}

extension OutputContainer {
  /// All that the container cannot keep; the check of a written file lets nothing else pass.
  var loses: Set<PackageLoss> {
    switch self {
    case .mp4: [.original]
    case .mkv: []
    }
  }
}

extension PackagePlan {
  /// What the file will not say although the plan does, each a sentence for a warning; empty when nothing is lost.
  public var losses: [String] {
    let lost = container.loses
    return tracks.flatMap { track -> [String] in
      var sentences: [String] = []
      if track.isOriginal && lost.contains(.original) {
        sentences.append("MP4 cannot say that \(track.id) has the original language; mkv can.")
      }
      if track.id.kind == .subtitle && track.role == .commentary && lost.contains(.commentaryText) {
        sentences.append("MP4 cannot say that \(track.id) is a commentary; mkv can.")
      }
      return sentences
    }
  }
}
