extension MediaInventory {
  /// Chooses tracks by the user's wishes: pure, total, and the same everywhere.
  ///
  /// Without wishes everything is kept. An inventory with audio always gives a default track; a list that nothing
  /// answers falls back to the order without preference, and says so.
  ///
  /// - Throws: `MediaError` of code `notFound` when a track of `audioTracks` is not there, or when `requiresAudio` and
  ///   a listed language is not; the message lists what is there.
  public func select(_ wishes: TrackWishes) throws(MediaError) -> TrackSelection {
    try checkNamedTracks(wishes)
    let choice = AudioChoice(audio, wishes: wishes)
    try checkRequired(wishes, choice)
    let keptAudio = choice.kept
    let text = SubtitleChoice(
      subtitles, wish: wishes.subtitles, audio: keptAudio.first?.language)

    var selection = TrackSelection(
      audio: keptAudio.map(\.id), defaultAudio: keptAudio.first?.id,
      subtitles: text.kept.map(\.id), missing: choice.missing.map(\.description),
      isFallback: choice.isFallback, reasons: text.reasons)
    let sentences = SelectionReasons(audio, wishes: wishes)
    for (id, verdict) in choice.verdicts {
      guard let track = sentences.tracks[id] else { continue }
      selection.reasons[id] = sentences.reason(
        for: track, verdict, defaultTrack: keptAudio.first)
    }
    let isWhole = keptAudio.count == audio.count && text.kept.count == subtitles.count
    chooseVideo(&selection, isWhole: isWhole)
    selection.size = size(of: selection)
    selection.warnings = warnings(wishes, choice, text)
    return selection
  }

  /// All pictures with everything else, otherwise the one that plays.
  private func chooseVideo(_ selection: inout TrackSelection, isWhole: Bool) {
    let moving = video.filter { !Self.stillCodecs.contains($0.codec.name) }
    let chosen = moving.first { $0.isDefault } ?? moving.first ?? video.first
    for track in video {
      let isKept = isWhole || track.id == chosen?.id
      if isKept { selection.video.append(track.id) }
      selection.reasons[track.id] =
        isKept
        ? "picture" : "not the picture that plays by default (\(chosen?.id.description ?? ""))"
    }
  }

  private static let stillCodecs: Set<String> = ["mjpeg", "png", "gif", "bmp", "tiff", "webp"]

  private func checkNamedTracks(_ wishes: TrackWishes) throws(MediaError) {
    guard let named = wishes.audioTracks else { return }
    guard !named.isEmpty else { throw MediaError(.usage, "No audio track is named.") }
    let strangers = named.filter { id in !audio.contains { $0.id == id } }
    guard !strangers.isEmpty else { return }
    let names = strangers.map(\.description).joined(separator: ", ")
    throw MediaError(.notFound, "There is no audio track \(names). There is \(audioList).")
  }

  private func checkRequired(_ wishes: TrackWishes, _ choice: AudioChoice) throws(MediaError) {
    guard wishes.requiresAudio, wishes.audioTracks == nil else { return }
    let missing = choice.missing.compactMap { wish -> String? in
      switch wish {
      case .language(let tag): "\(tag.englishName) (\(tag))"
      case .undetermined: "undetermined language"
      case .original, .containerDefault, .all: nil
      }
    }
    guard !missing.isEmpty else { return }
    throw MediaError(
      .notFound,
      "There is no audio in \(missing.joined(separator: ", nor in ")). There is \(audioList).")
  }

  /// The audio tracks in words: `a0 Turkish (tr), a1 English (en, commentary)`.
  var audioList: String {
    guard !audio.isEmpty else { return "no audio at all" }
    return audio.map { track in
      let role = track.role == .main ? nil : SelectionReasons.name(of: track.role)
      let notes = [track.language?.description, role].compactMap { $0 }.joined(separator: ", ")
      let name = SelectionReasons.name(of: track.language)
      return notes.isEmpty ? "\(track.id) \(name)" : "\(track.id) \(name) (\(notes))"
    }
    .joined(separator: ", ")
  }

  private func warnings(_ wishes: TrackWishes, _ choice: AudioChoice, _ text: SubtitleChoice)
    -> [String]
  {
    var warnings: [String] = []
    if wishes.audioTracks == nil, !audio.isEmpty {
      let missing = choice.missing.map(\.description).joined(separator: ", ")
      if choice.isFallback, choice.kept.count < audio.count, let first = choice.kept.first {
        let name = SelectionReasons.name(of: first.language)
        warnings.append("No audio for \(missing); \(name) (\(first.id)) is kept instead.")
      } else if !choice.missing.isEmpty {
        warnings.append("No audio for \(missing).")
      }
    }
    if audio.isEmpty, !video.isEmpty { warnings.append("There is no audio in it.") }
    for track in choice.kept where track.inferences.contains(.language) && !wishes.audio.isEmpty {
      let name = SelectionReasons.name(of: track.language)
      warnings.append("That \(track.id) is \(name) is known only from its title.")
    }
    if choice.exceedsBudget, let first = choice.kept.first {
      warnings.append("The default track \(first.id) alone is above the budget for audio.")
    }
    if !text.missing.isEmpty {
      let missing = text.missing.map(\.description).joined(separator: ", ")
      warnings.append("No subtitles for \(missing).")
    }
    return warnings
  }
}
