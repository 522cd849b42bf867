/// One track that HLS can carry, with what a playlist says about it.
public struct HLSTrack: Hashable, Sendable, Identifiable {
  /// Its name among the tracks of the file; the ordinal counts the tracks that are left out, too.
  public var id: TrackID
  /// The stream in the file.
  var stream: Int
  /// The codec.
  public var codec: Codec
  /// The language, or `nil` when undetermined.
  public var language: LanguageTag?
  /// The title in the file.
  public var title: String?
  /// Whether the file marks it as default.
  public var isDefault: Bool
  /// Of audio: what it is for.
  public var role: TrackRole
  /// Of subtitles: forced.
  public var isForced: Bool
  /// Of subtitles: describes sounds.
  public var isHearingImpaired: Bool
  /// Of audio: the number of channels.
  public var channels: Int?
  /// Of video: pixels.
  public var width: Int?
  /// Of video: pixels.
  public var height: Int?
  /// Of video: pictures a second.
  public var frameRate: Double?
}

extension HLSTrack {
  /// Video that fragmented MP4 carries.
  private static let video: Set<Codec> = ["h264", "hevc", "av1", "vp9", "mpeg4", "mpeg2video"]
  /// Audio that fragmented MP4 carries and players know.
  private static let audio: Set<Codec> = ["aac", "ac3", "eac3", "mp3", "alac", "opus", "flac"]
  /// Subtitles that are text and can be told as WebVTT.
  static let text: Set<Codec> = ["subrip", "srt", "mov_text", "webvtt", "ass", "ssa", "text"]

  /// The track of `facts`; `nil` when HLS cannot carry it.
  init?(_ facts: StreamFacts, id: TrackID) {
    guard let codec = facts.codec else { return nil }
    let carried: Set<Codec> =
      switch id.kind {
      case .video: Self.video
      case .audio: Self.audio
      case .subtitle: Self.text
      }
    guard carried.contains(codec) else { return nil }
    let title = facts.title ?? Self.handler(of: facts)
    let flags = facts.dispositions
    self.init(
      id: id, stream: facts.index, codec: codec,
      language: facts.language.flatMap { LanguageTag($0) },
      title: title, isDefault: flags.contains(.isDefault), role: .main,
      isForced: flags.contains(.forced), isHearingImpaired: flags.contains(.hearingImpaired),
      channels: facts.sound?.channels, width: facts.picture?.width,
      height: facts.picture?.height, frameRate: facts.picture?.frameRate)
    if flags.contains(.comment) {
      role = .commentary
    } else if !flags.isDisjoint(with: [.visualImpaired, .descriptions]) {
      role = .description
    } else if let told = title.flatMap(TitleInference.role(inTitle:)) {
      role = told
    }
  }

  /// MP4 has no titles, but a name of the track's handler, which most writers leave at a word of their own.
  private static func handler(of facts: StreamFacts) -> String? {
    guard let name = facts.metadata["handler_name"] else { return nil }
    let own = ["handler", "gpac", "mainconcept", "core media", "l-smash", "bento4", "isomedia"]
    return own.contains { name.lowercased().contains($0) } ? nil : name
  }
}

extension HLSTrack {
  /// Takes over what the inventory knows better: the language in full, the title, the role and the flags.
  mutating func adopt(_ inventory: MediaInventory) {
    let place = TrackPlace.stream(stream)
    if let known = inventory.audio.first(where: { $0.place == place }) {
      (language, title, role) = (known.language, known.title ?? title, known.role)
      (isDefault, channels) = (known.isDefault, known.channels ?? channels)
    } else if let known = inventory.subtitles.first(where: { $0.place == place }) {
      (language, title) = (known.language, known.title ?? title)
      (isForced, isHearingImpaired) = (known.isForced, known.isHearingImpaired)
      isDefault = known.isDefault
    }
  }
}
