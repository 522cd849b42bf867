/// The place of an audio track in the one order that probe, download, playback and server share.
///
/// The order is total: the position in the source decides last, so no two tracks of an inventory are equal, and the
/// order in which tracks are listed never matters. The first of an inventory is its default.
public struct TrackOrder: Hashable, Sendable, Comparable {
  /// What is compared, in this sequence; the first difference decides.
  public enum Rule: Int, Hashable, Sendable, CaseIterable {
    /// What can be played comes first.
    case usable
    /// The film's sound before music without speech before commentary.
    case role
    /// The entry of the audio list that it answers.
    case listPlace
    /// Without description first, or with it when that is preferred.
    case accessibility
    /// How near its language is to the one wanted.
    case language
    /// Within the wanted number of channels first.
    case channelLimit
    /// Marked as default first.
    case defaultFlag
    /// Marked as original first.
    case originalFlag
    /// More channels first; fewer when above the wanted number.
    case channels
    /// A higher bit rate first.
    case bitRate
    /// The earlier one in the source first.
    case position
  }

  /// One number a rule; lower comes first.
  private let keys: [Int]

  /// The place of `track` among others under `wishes`.
  public init(_ track: AudioTrack, wishes: TrackWishes) {
    let match = wishes.match(track)
    let asksForSilence = wishes.audio.contains(.language(.noSpeech)) && match != nil
    let role =
      switch (track.role, track.language == .noSpeech) {
      case (.commentary, _): 2
      case (_, true): asksForSilence ? 0 : 1
      default: 0
      }
    let isDescribed = track.role == .description
    let channels = max(0, track.channels ?? 0)
    let isAbove = wishes.maximumChannels.map { channels > $0 } ?? false
    keys = [
      track.isUsable ? 0 : 1,
      role,
      match?.place ?? .max,
      isDescribed == wishes.prefersDescription ? 0 : 1,
      match?.tier.rawValue ?? .max,
      isAbove ? 1 : 0,
      track.isDefault ? 0 : 1,
      track.isOriginal ? 0 : 1,
      isAbove ? channels : -channels,
      -max(0, track.bitsPerSecond ?? 0),
      track.index,
    ]
  }

  /// The rule that tells two places apart, or `nil` when they are the same.
  public func decidingRule(against other: TrackOrder) -> Rule? {
    zip(Rule.allCases, zip(keys, other.keys)).first { $1.0 != $1.1 }?.0
  }

  /// First in the order.
  public static func < (a: TrackOrder, b: TrackOrder) -> Bool {
    a.keys.lexicographicallyPrecedes(b.keys)
  }
}

extension TrackWishes {
  /// The first entry of the audio list that a track answers, and how well; `nil` when it answers none.
  func match(_ track: AudioTrack) -> (place: Int, tier: LanguageTier)? {
    for (place, wish) in audio.enumerated() {
      if let tier = wish.tier(of: track) { return (place, tier) }
    }
    return nil
  }
}

extension TrackWishes.AudioWish {
  /// How well a track answers the entry; `nil` when it does not.
  func tier(of track: AudioTrack) -> LanguageTier? {
    switch self {
    case .all: .same
    case .original: track.isOriginal ? .same : nil
    case .containerDefault: track.isDefault ? .same : nil
    case .undetermined: track.language == nil ? .same : nil
    case .language(let wanted): track.language.flatMap { LanguageTier(wanted: wanted, stored: $0) }
    }
  }
}
