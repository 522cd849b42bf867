import SiloSystem

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

extension OutputContainer {
  /// That texts of a track are not written as they look, for a warning; `nil` when nothing was lost.
  func sentence(losing losses: Set<StyledText.Loss>, of track: TrackID) -> String? {
    let name = self == .mp4 ? "MP4" : "mkv"
    return switch (losses.contains(.position), losses.contains(.effect)) {
    case (false, false): nil
    case (true, false) where self == .mp4:
      "The positions of texts of \(track) are not in MP4, which shows all of them below; mkv can keep them."
    case (true, false): "The positions of texts of \(track) are not in \(name)."
    case (false, true): "The fonts and effects of texts of \(track) are not in \(name)."
    case (true, true): "The positions, fonts and effects of texts of \(track) are not in \(name)."
    }
  }
}

/// What lies in an input beside its tracks, and is not written into the file.
enum DroppedStreams {
  /// What of `streams` is dropped, each kind a sentence for a warning.
  static func sentences(_ streams: [StreamFacts]) -> [String] {
    let covers = streams.filter { $0.dispositions.contains(.attachedPicture) }
    let attachments = streams.filter {
      $0.kind == .attachment && !$0.dispositions.contains(.attachedPicture)
    }
    var sentences: [String] = []
    if let names = names(of: covers, one: "cover picture", many: "cover pictures") {
      sentences.append("The \(names) inside the file will not be in the new one.")
    }
    if let names = names(of: attachments, one: "attachment", many: "attachments") {
      sentences.append(
        "The \(names) inside the file will not be in the new one; styled subtitles may look otherwise without their fonts."
      )
    }
    return sentences
  }

  /// "2 attachments (a.ttf, b.ttf)"; `nil` when there is none.
  private static func names(of streams: [StreamFacts], one: String, many: String) -> String? {
    guard !streams.isEmpty else { return nil }
    let names = streams.compactMap { $0.metadata["filename"] }.filter { !$0.isEmpty }
    let shown = names.prefix(5).map { Redaction.printable(String($0.prefix(80))) }
    let rest = names.count > 5 ? ", …" : ""
    let list = shown.isEmpty ? "" : " (\(shown.joined(separator: ", "))\(rest))"
    return (streams.count == 1 ? one : "\(streams.count) \(many)") + list
  }
}
