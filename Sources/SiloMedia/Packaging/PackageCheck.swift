/// Compares what was written with what was asked.
struct PackageCheck {
  private let plan: PackagePlan
  private let subject: String

  init(_ plan: PackagePlan, subject: String) {
    self.plan = plan
    self.subject = subject
  }

  /// Throws `.corrupt`, naming the first difference.
  func check(_ written: MediaInventory) throws {
    try same("number of video tracks", written.video.count, count(.video))
    try same("number of audio tracks", written.audio.count, count(.audio))
    try same("number of subtitle tracks", written.subtitles.count, count(.subtitle))
    for (track, found) in zip(tracks(.audio), written.audio) {
      try same(
        "language of \(track.id)", found.storedLanguage.flatMap { LanguageTag($0) }, stored(track))
      try same("title of \(track.id)", found.title, title(track))
      try same("default flag of \(track.id)", found.isDefault, track.isDefault)
      if track.role != .main { try same("role of \(track.id)", found.role, track.role) }
      if plan.container == .mkv {
        try same("original flag of \(track.id)", found.isOriginal, track.isOriginal)
      }
    }
    for (track, found) in zip(tracks(.subtitle), written.subtitles) {
      try same(
        "language of \(track.id)", found.storedLanguage.flatMap { LanguageTag($0) }, stored(track))
      try same("title of \(track.id)", found.title, title(track))
      if track.isForced { try same("forced flag of \(track.id)", found.isForced, true) }
      if track.isHearingImpaired {
        try same("hearing-impaired flag of \(track.id)", found.isHearingImpaired, true)
      }
    }
    try same("number of chapters", written.chapters.count, plan.chapters.count)
  }

  private func tracks(_ kind: TrackID.Kind) -> [PackageTrack] {
    plan.tracks.filter { $0.id.kind == kind }
  }

  private func count(_ kind: TrackID.Kind) -> Int { tracks(kind).count }

  /// The language that is left of a tag in the three letters of the container.
  private func stored(_ track: PackageTrack) -> LanguageTag? {
    plan.container.code(of: track.language).flatMap { LanguageTag($0) }
  }

  private func title(_ track: PackageTrack) -> String? {
    track.title.flatMap { $0.isEmpty ? nil : $0 }
  }

  private func same<Value: Equatable>(_ what: String, _ found: Value, _ asked: Value) throws {
    guard found != asked else { return }
    throw MediaError(
      .corrupt,
      "The \(what) in the written file is \(found), not \(asked); try the other container.",
      subject: subject)
  }
}
