/// Which audio tracks are kept, in the one order, and what became of each.
struct AudioChoice {
  /// Why a track is kept or not.
  enum Verdict: Hashable {
    /// No list restricts the tracks.
    case everything
    /// Named by its id.
    case named
    /// The best that answers the entry of the list at this place.
    case answers(Int)
    /// It plays although no entry is answered.
    case fallback
    /// Commentary or description of a wanted language, which was asked for.
    case asked
    /// The original sound, which was asked for.
    case original
    /// The film's sound, beside tracks that are something else.
    case mainBeside
    /// Another track answers the same entry better.
    case worse(than: TrackID)
    /// Commentary or description that was not asked for.
    case notAsked
    /// It answers no entry.
    case notListed
    /// Not among the named ones.
    case notNamed
    /// Its codec cannot be played.
    case unusable
    /// Only the default was asked for.
    case notDefault
    /// It does not fit the budget.
    case overBudget

    /// Whether the track is kept.
    var isKept: Bool {
      switch self {
      case .everything, .named, .answers, .fallback, .asked, .original, .mainBeside: true
      default: false
      }
    }
  }

  private let wishes: TrackWishes
  /// Every track, in the one order.
  let ranked: [AudioTrack]
  /// What became of each track.
  private(set) var verdicts: [TrackID: Verdict] = [:]
  /// The entries of the list that nothing answers.
  private(set) var missing: [TrackWishes.AudioWish] = []
  /// Whether the list is not empty and nothing answers any entry.
  private(set) var isFallback = false
  /// Whether the default track alone is above the budget.
  private(set) var exceedsBudget = false

  /// Chooses among `tracks`.
  init(_ tracks: [AudioTrack], wishes: TrackWishes) {
    self.wishes = wishes
    let places = tracks.map { (track: $0, order: TrackOrder($0, wishes: wishes)) }
    ranked = places.sorted { $0.order < $1.order }.map(\.track)
    if let named = wishes.audioTracks {
      for track in ranked { verdicts[track.id] = named.contains(track.id) ? .named : .notNamed }
    } else {
      missing = wishes.audio.filter { answers(to: $0).isEmpty }
      isFallback = !tracks.isEmpty && !missing.isEmpty && missing.count == wishes.audio.count
      choose()
    }
    if let budget = wishes.audioBudget { fit(budget) }
  }

  /// The kept tracks in order of preference, the default first.
  var kept: [AudioTrack] {
    let kept = ranked.filter { verdicts[$0.id]?.isKept == true }
    guard wishes.audio.isEmpty, let named = wishes.audioTracks else { return kept }
    // Without a list, the sequence in which tracks were named is the preference.
    return named.compactMap { id in kept.first { $0.id == id } }
  }

  private var keepsEverything: Bool {
    switch wishes.mode {
    case .all: true
    case .best: wishes.audio.isEmpty || wishes.audio.contains(.all)
    case .matching: wishes.audio.contains(.all)
    case .onlyDefault: false
    }
  }

  /// The tracks that may answer an entry, best first: commentary never does, nor does what cannot be played.
  private func answers(to wish: TrackWishes.AudioWish) -> [AudioTrack] {
    var alone = wishes
    alone.audio = [wish]
    return ranked.filter {
      wish == .all || $0.isUsable && $0.role != .commentary && wish.tier(of: $0) != nil
    }
    .map { ($0, TrackOrder($0, wishes: alone)) }.sorted { $0.1 < $1.1 }.map(\.0)
  }

  private mutating func choose() {
    guard let first = ranked.first else { return }
    if keepsEverything {
      for track in ranked { verdicts[track.id] = .everything }
      return
    }
    for track in ranked { verdicts[track.id] = refusal(of: track) }
    if wishes.mode != .onlyDefault {
      for (place, wish) in wishes.audio.enumerated() { take(answers(to: wish), place) }
      for track in ranked where isAsked(track) { keep(track, .asked) }
    }
    keep(first, wishes.match(first).map { .answers($0.place) } ?? .fallback)
    if wishes.keepsOriginal, let original = ranked.first(where: { $0.isOriginal && $0.isUsable }) {
      keep(original, .original)
    }
    if !kept.contains(where: { $0.role == .main }),
      let main = ranked.first(where: { $0.role == .main && $0.isUsable })
    {
      keep(main, .mainBeside)
    }
  }

  private mutating func take(_ answers: [AudioTrack], _ place: Int) {
    guard let best = answers.first else { return }
    keep(best, .answers(place))
    for other in answers.dropFirst() {
      if wishes.mode == .matching {
        keep(other, .answers(place))
      } else if verdicts[other.id]?.isKept == false {
        verdicts[other.id] = .worse(than: best.id)
      }
    }
  }

  private mutating func keep(_ track: AudioTrack, _ verdict: Verdict) {
    if verdicts[track.id]?.isKept != true { verdicts[track.id] = verdict }
  }

  private func isAsked(_ track: AudioTrack) -> Bool {
    guard track.isUsable, wishes.match(track) != nil else { return false }
    return switch track.role {
    case .main: false
    case .commentary: wishes.wantsCommentary
    case .description: wishes.wantsDescription
    }
  }

  private func refusal(of track: AudioTrack) -> Verdict {
    if !track.isUsable { return .unusable }
    if wishes.mode == .onlyDefault { return .notDefault }
    if track.role == .commentary { return .notAsked }
    return wishes.match(track) == nil ? .notListed : .notAsked
  }

  /// Keeps the default whatever it needs, then what fits, in order.
  private mutating func fit(_ budget: Int64) {
    var left = budget
    for (rank, track) in kept.enumerated() {
      let need = track.size.byteCount ?? 0
      if rank == 0 {
        exceedsBudget = need > left
        left -= min(need, left)
      } else if need > left {
        verdicts[track.id] = .overBudget
      } else {
        left -= need
      }
    }
  }
}
