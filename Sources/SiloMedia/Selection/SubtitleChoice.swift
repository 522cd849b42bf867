/// Which subtitle tracks are kept, and why each is or is not.
struct SubtitleChoice {
  /// The kept tracks, in the order of the source.
  private(set) var kept: [SubtitleTrack] = []
  /// Why each track is kept or not.
  private(set) var reasons: [TrackID: String] = [:]
  /// The wanted languages that no track has.
  private(set) var missing: [LanguageTag] = []

  /// Chooses among `tracks`; forced ones of the default audio's language always come.
  init(_ tracks: [SubtitleTrack], wish: TrackWishes.SubtitleWish, audio language: LanguageTag?) {
    let wanted: [TrackID: Int]
    switch wish {
    case .all: wanted = Dictionary(tracks.map { ($0.id, 0) }) { first, _ in first }
    case .none: wanted = [:]
    case .languages(let list): wanted = choose(tracks, list)
    }
    for track in tracks {
      let name = SelectionReasons.name(of: track.language)
      if let place = wanted[track.id] {
        kept.append(track)
        if case .languages(let list) = wish {
          reasons[track.id] = "\(name), wanted as \(list[place])"
        } else {
          reasons[track.id] = "\(name), every subtitle is kept"
        }
      } else if track.isForced, let language, let own = track.language,
        LanguageTier(wanted: language, stored: own) != nil
      {
        kept.append(track)
        reasons[track.id] = "forced, in the language of the default audio"
      } else {
        reasons[track.id] = Self.refusal(of: track, name, wish)
      }
    }
  }

  private static func refusal(
    of track: SubtitleTrack, _ name: String, _ wish: TrackWishes.SubtitleWish
  ) -> String {
    if wish == .none { return "no subtitles were asked for" }
    return track.isCommentary ? "commentary, not asked for" : "\(name), not in --subs"
  }

  /// Every track of a wanted language whose region and script are the nearest there are, by the place of the language.
  private mutating func choose(_ tracks: [SubtitleTrack], _ list: [LanguageTag]) -> [TrackID: Int] {
    var wanted: [TrackID: Int] = [:]
    for (place, language) in list.enumerated() {
      let answers = tracks.filter { !$0.isCommentary }.compactMap { track in
        track.language.flatMap { LanguageTier(wanted: language, stored: $0) }.map { (track, $0) }
      }
      guard let nearest = answers.map(\.1).min() else {
        missing.append(language)
        continue
      }
      for (track, tier) in answers where tier == nearest && wanted[track.id] == nil {
        wanted[track.id] = place
      }
    }
    return wanted
  }
}
