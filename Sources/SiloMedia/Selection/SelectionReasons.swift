/// The sentences that tell a person why a track was kept or dropped.
struct SelectionReasons {
  let wishes: TrackWishes
  let tracks: [TrackID: AudioTrack]

  init(_ tracks: [AudioTrack], wishes: TrackWishes) {
    self.wishes = wishes
    self.tracks = Dictionary(tracks.map { ($0.id, $0) }) { first, _ in first }
  }

  /// The sentence for one audio track.
  func reason(for track: AudioTrack, _ verdict: AudioChoice.Verdict, defaultTrack: AudioTrack?)
    -> String
  {
    var text = sentence(for: track, verdict)
    if track.id == defaultTrack?.id, verdict.isKept, let rule = defaultRule(track) {
      text += "; plays first: \(rule)"
    }
    switch (track.inferences.contains(.language), track.inferences.contains(.role)) {
    case (true, true): text += " (language and role known only from its title)"
    case (true, false): text += " (language known only from its title)"
    case (false, true): text += " (role known only from its title)"
    case (false, false): break
    }
    return text
  }

  private func sentence(for track: AudioTrack, _ verdict: AudioChoice.Verdict) -> String {
    let language = Self.name(of: track.language)
    return switch verdict {
    case .everything:
      wishes.audio.contains(.all)
        ? "\(language), --audio all keeps everything"
        : "\(language), every audio track is kept"
    case .named: "named in --audio-track"
    case .answers(let place): "\(answer(track, place)), \(Self.ordinal(place)) in --audio"
    case .fallback:
      wishes.audio.isEmpty
        ? "\(language), the default" : "\(language), because nothing in --audio is there"
    case .asked: "\(Self.name(of: track.role)) in \(language), asked for"
    case .original: "\(language), the original sound"
    case .mainBeside:
      "\(language), kept beside it because every other kept track is described or a commentary"
    case .worse(let better):
      "\(language) is kept already by \(better)\(advantage(of: better, over: track))"
    case .notAsked: "\(Self.name(of: track.role)), not asked for"
    case .notListed: "\(language), not in --audio"
    case .notNamed: "not in --audio-track"
    case .unusable: "its codec \(track.codec) cannot be played here"
    case .notDefault: "only the default track was asked for"
    case .overBudget: "\(language), does not fit the budget for audio"
    }
  }

  private func answer(_ track: AudioTrack, _ place: Int) -> String {
    guard wishes.audio.indices.contains(place) else { return Self.name(of: track.language) }
    let language = Self.name(of: track.language)
    return switch wishes.audio[place] {
    case .original: "\(language), the original sound"
    case .containerDefault: "\(language), marked as default"
    case .language, .undetermined, .all:
      track.role == .main ? language : "\(language) with \(Self.name(of: track.role))"
    }
  }

  private func advantage(of better: TrackID, over track: AudioTrack) -> String {
    guard let other = tracks[better] else { return "" }
    let rule = TrackOrder(other, wishes: wishes).decidingRule(
      against: TrackOrder(track, wishes: wishes))
    return rule.flatMap { Self.words(for: $0, of: other) }.map { " (\($0))" } ?? ""
  }

  /// What put the default before the next track, when no list did.
  private func defaultRule(_ track: AudioTrack) -> String? {
    guard wishes.audioTracks == nil, wishes.match(track) == nil || wishes.audio == [.all] else {
      return nil
    }
    let own = TrackOrder(track, wishes: wishes)
    let others = tracks.values.filter { $0.id != track.id }.map { TrackOrder($0, wishes: wishes) }
    guard let next = others.min() else { return nil }
    return own.decidingRule(against: next).flatMap { Self.words(for: $0, of: track) }
  }

  private static func words(for rule: TrackOrder.Rule, of track: AudioTrack) -> String? {
    switch rule {
    case .usable: "it can be played"
    case .role: "the film's own sound"
    case .listPlace: "earlier in --audio"
    case .accessibility: track.role == .description ? "described" : "not described"
    case .language: "nearer to what was asked"
    case .channelLimit: "within --max-channels"
    case .defaultFlag: "marked as default"
    case .originalFlag: "marked as original"
    case .channels: track.layout ?? track.channels.map { "\($0) channels" }
    case .bitRate: "higher bit rate"
    case .position: "earlier in the source"
    }
  }

  /// What a language is called in a sentence.
  static func name(of language: LanguageTag?) -> String {
    language?.englishName ?? "undetermined language"
  }

  /// What a role is called in a sentence.
  static func name(of role: TrackRole) -> String {
    switch role {
    case .main: "main sound"
    case .commentary: "commentary"
    case .description: "audio description"
    }
  }

  private static func ordinal(_ place: Int) -> String {
    let words = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"]
    return words.indices.contains(place) ? words[place] : "number \(place + 1)"
  }
}
