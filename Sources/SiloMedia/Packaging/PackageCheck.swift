/// Compares what was written with what was asked and with what was seen of the media meanwhile.
struct PackageCheck {
  private let plan: PackagePlan
  private let facts: WrittenFacts
  private let subject: String

  init(_ plan: PackagePlan, facts: WrittenFacts, subject: String) {
    self.plan = plan
    self.facts = facts
    self.subject = subject
  }

  /// Throws `.corrupt`, naming the first difference; what the container cannot keep is none (`PackageLoss`).
  func check(_ written: MediaInventory) throws {
    try checkNumbers(written)
    for ((index, track), found) in zip(tracks(.video), written.video) {
      try checkVideo(found, track, facts.tracks[index])
    }
    for ((index, track), found) in zip(tracks(.audio), written.audio) {
      try checkAudio(found, track, facts.tracks[index])
    }
    for ((index, track), found) in zip(tracks(.subtitle), written.subtitles) {
      try checkSubtitle(found, track, facts.tracks[index])
    }
    let starts = plan.chapters.map(\.start).sorted()
    for (number, (asked, found)) in zip(starts, written.chapters).enumerated()
    where abs((found.start - asked).nanoseconds) > 1_000_000 {
      try same("start of chapter \(number + 1)", found.start, asked)
    }
  }

  private func checkNumbers(_ written: MediaInventory) throws {
    try same("number of video tracks", written.video.count, tracks(.video).count)
    try same("number of audio tracks", written.audio.count, tracks(.audio).count)
    try same("number of subtitle tracks", written.subtitles.count, tracks(.subtitle).count)
    let defaults = written.audio.filter(\.isDefault).count
    try same("number of default audio tracks", defaults, written.audio.isEmpty ? 0 : 1)
    try same("number of chapters", written.chapters.count, plan.chapters.count)
    try same("title of the file", written.title, Self.text(plan.title))
    // A millisecond more is what containers round.
    let frame = max(facts.longestPacket, 50_000_000) + 1_000_000
    let duration = written.duration?.nanoseconds ?? 0
    if abs(duration - facts.end) > frame {
      try same(
        "duration", Duration.nanoseconds(duration), Duration.nanoseconds(facts.end),
        advice: "the times of its pieces may overlap, or a piece be there twice")
    }
  }

  private func checkVideo(_ found: VideoTrack, _ track: PackageTrack, _ seen: WrittenFacts.Track?)
    throws
  {
    try same("codec of \(track.id)", found.codec, seen?.codec ?? found.codec)
    try known("width of \(track.id)", found.width, seen?.width)
    try known("height of \(track.id)", found.height, seen?.height)
    try same("language of \(track.id)", found.language, track.language)
    try same("title of \(track.id)", found.title, Self.text(track.title))
  }

  private func checkAudio(_ found: AudioTrack, _ track: PackageTrack, _ seen: WrittenFacts.Track?)
    throws
  {
    try same("codec of \(track.id)", found.codec, seen?.codec ?? found.codec)
    // Of AAC with hidden extensions, a header may tell one half of the channels and of the rate.
    let isHalved = { (a: Int?, b: Int?) in
      a.flatMap { a in b.map { a == 2 * $0 || $0 == 2 * a } } ?? false
    }
    let isAAC = found.codec == "aac"
    let isUntold = found.codec == "mp3" && found.channels == nil
    if !isUntold, !(isAAC && isHalved(found.channels, seen?.channels)) {
      try known("number of channels of \(track.id)", found.channels, seen?.channels)
    }
    if !(isAAC && isHalved(found.sampleRate, seen?.sampleRate)) {
      try known("sample rate of \(track.id)", found.sampleRate, seen?.sampleRate)
    }
    try checkLanguage(found.storedLanguage, track)
    try same("title of \(track.id)", found.title, Self.text(track.title))
    try same("default flag of \(track.id)", found.isDefault, track.isDefault)
    let inferred = track.title.flatMap { TitleInference.role(inTitle: $0) }
    if !(track.role == .main && found.role == inferred) {
      try same("role of \(track.id)", found.role, track.role)
    }
    if !plan.container.loses.contains(.original) {
      try same("original flag of \(track.id)", found.isOriginal, track.isOriginal)
    }
  }

  private func checkSubtitle(
    _ found: SubtitleTrack, _ track: PackageTrack, _ seen: WrittenFacts.Track?
  ) throws {
    try same("codec of \(track.id)", found.codec, seen?.codec ?? found.codec)
    try checkLanguage(found.storedLanguage, track)
    try same("title of \(track.id)", found.title, Self.text(track.title))
    try same("default flag of \(track.id)", found.isDefault, track.isDefault)
    // A title alone makes an inventory say so, too.
    let title = track.title ?? ""
    if track.isForced || !TitleInference.isForced(inTitle: title) {
      try same("forced flag of \(track.id)", found.isForced, track.isForced)
    }
    if track.isHearingImpaired || !TitleInference.isHearingImpaired(inTitle: title) {
      try same(
        "hearing-impaired flag of \(track.id)", found.isHearingImpaired, track.isHearingImpaired)
    }
    let isCommentary = track.role == .commentary
    let isLost = isCommentary && plan.container.loses.contains(.commentaryText)
    if !isLost, isCommentary || TitleInference.role(inTitle: title) != .commentary {
      try same("commentary flag of \(track.id)", found.isCommentary, isCommentary)
    }
  }

  private func checkLanguage(_ stored: String?, _ track: PackageTrack) throws {
    try same("language of \(track.id)", stored.flatMap { LanguageTag($0) }, track.language)
  }

  private func tracks(_ kind: TrackID.Kind) -> [(Int, PackageTrack)] {
    plan.tracks.enumerated().filter { $0.element.id.kind == kind }.map { ($0.offset, $0.element) }
  }

  private static func text(_ text: String?) -> String? {
    text.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// As `same`, but what was not known before is no difference.
  private func known(_ what: String, _ found: Int?, _ asked: Int?) throws {
    if asked != nil { try same(what, found, asked) }
  }

  private func same<Value: Equatable>(
    _ what: String, _ found: Value, _ asked: Value, advice: String = "try the other container"
  ) throws {
    guard found != asked else { return }
    throw MediaError(
      .corrupt,
      "The \(what) in the written file is \(Self.words(found)), not \(Self.words(asked)); \(advice).",
      subject: subject)
  }

  private static func words(_ value: Any) -> String {
    switch value {
    case let codec as Codec: codec.name
    case let text as String? where text != nil: "\u{201C}\(text ?? "")\u{201D}"
    case let number as Int? where number != nil: "\(number ?? 0)"
    case let language as LanguageTag? where language != nil: language?.description ?? ""
    default: "\(value)" == "nil" ? "unknown" : "\(value)"
    }
  }
}
