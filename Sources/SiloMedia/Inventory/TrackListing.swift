import SiloSystem

/// Turns streams into the tracks of an inventory.
struct TrackListing {
  /// The video tracks in the order of the source.
  private(set) var video: [VideoTrack] = []
  /// The audio tracks in the order of the source.
  private(set) var audio: [AudioTrack] = []
  /// The subtitle tracks in the order of the source.
  private(set) var subtitles: [SubtitleTrack] = []

  /// The tracks of `streams`; `notes` go by stream index.
  init(_ streams: [StreamFacts], notes: [Int: TrackNote]) {
    for stream in streams {
      let note = notes[stream.index] ?? TrackNote()
      var stream = stream
      stream.dispositions =
        (note.exactDispositions ?? stream.dispositions).union(note.dispositions)
      if note.isHidden || stream.dispositions.contains(.attachedPicture) { continue }
      switch stream.kind {
      case .video: addVideo(stream, note)
      case .audio: addAudio(stream, note)
      case .subtitle: addSubtitle(stream, note)
      case .data, .attachment, .unknown: break
      }
    }
  }

  private mutating func addVideo(_ stream: StreamFacts, _ note: TrackNote) {
    video.append(
      VideoTrack(
        id: TrackID(.video, video.count), place: .stream(stream.index),
        codec: stream.codec ?? Codec(stream.codecTag ?? "unknown"), width: stream.picture?.width,
        height: stream.picture?.height, frameRate: note.frameRate ?? stream.picture?.frameRate,
        dynamicRange: stream.dynamicRange, title: Self.title(stream, note),
        language: Self.stored(stream, note).flatMap { LanguageTag($0) },
        isDefault: stream.dispositions.contains(.isDefault), size: note.size))
  }

  private mutating func addAudio(_ stream: StreamFacts, _ note: TrackNote) {
    let title = Self.title(stream, note)
    let stored = Self.stored(stream, note)
    var language = stored.flatMap { LanguageTag($0) }
    var role = stream.role
    var inferences: Set<AudioTrack.Inference> = []
    if language == nil, let inferred = title.flatMap({ TitleInference.language(inTitle: $0) }) {
      language = inferred
      inferences.insert(.language)
    }
    if role == .main, let inferred = title.flatMap({ TitleInference.role(inTitle: $0) }),
      inferred != .main
    {
      role = inferred
      inferences.insert(.role)
    }
    audio.append(
      AudioTrack(
        id: TrackID(.audio, audio.count), place: .stream(stream.index), language: language,
        storedLanguage: stored, title: title,
        codec: stream.codec ?? Codec(stream.codecTag ?? "unknown"),
        channels: stream.sound?.channels, layout: stream.channelLayout,
        sampleRate: stream.sound?.sampleRate,
        isDefault: stream.dispositions.contains(.isDefault), role: role,
        isOriginal: stream.dispositions.contains(.original), isUsable: stream.codec != nil,
        inferences: inferences, size: note.size,
        bitsPerSecond: Self.rate(note) ?? stream.bitsPerSecond ?? note.declaredBitsPerSecond))
  }

  private mutating func addSubtitle(_ stream: StreamFacts, _ note: TrackNote) {
    let title = Self.title(stream, note)
    let stored = Self.stored(stream, note)
    let flags = stream.dispositions
    let named = title ?? ""
    subtitles.append(
      SubtitleTrack(
        id: TrackID(.subtitle, subtitles.count), place: .stream(stream.index),
        language: stored.flatMap { LanguageTag($0) }
          ?? title.flatMap { TitleInference.language(inTitle: $0) },
        storedLanguage: stored, title: title,
        codec: stream.codec ?? Codec(stream.codecTag ?? "unknown"),
        isForced: flags.contains(.forced) || TitleInference.isForced(inTitle: named),
        isHearingImpaired: flags.contains(.hearingImpaired)
          || TitleInference.isHearingImpaired(inTitle: named),
        isDefault: flags.contains(.isDefault),
        isCommentary: flags.contains(.comment)
          || TitleInference.role(inTitle: named) == .commentary, size: note.size))
  }

  private static func stored(_ stream: StreamFacts, _ note: TrackNote) -> String? {
    let text = note.storedLanguage ?? stream.language
    return text == "und" || text?.isEmpty == true ? nil : text
  }

  /// Bits a second from bytes and time, when both are known.
  private static func rate(_ note: TrackNote) -> Int? {
    guard let bytes = note.size.byteCount, note.size.basis <= .measured,
      let seconds = note.duration?.seconds, seconds > 0.1
    else { return nil }
    return Int(exactly: (Double(bytes) * 8 / seconds).rounded())
  }

  private static func title(_ stream: StreamFacts, _ note: TrackNote) -> String? {
    if let title = note.title ?? stream.title ?? stream.metadata["name"], !title.isEmpty {
      return title
    }
    guard let handler = stream.metadata["handler_name"], !isStock(handler) else { return nil }
    return handler
  }

  /// Whether a handler's name is one that programs write by themselves.
  static func isStock(_ handler: String) -> Bool {
    let lower = handler.lowercased()
    let starts = [
      "iso media", "core media", "gpac", "twitch", "bento4", "l-smash", "apple ", "mainconcept",
      "#mainconcept", "videohandle", "soundhandle", "telestream", "vod", "usp ", "castlabs",
      "shaka", "alias ", "aac ", "avc ", "hevc ", "h264", "264@", "ac3 ",
    ]
    let whole: Set = [
      "", "video", "audio", "sound", "text", "subtitle", "subtitles", "vide", "soun", "sbtl",
      "mono", "stereo", "surround", "main", "track", "eng", "und", "time code",
    ]
    return lower.contains("handler") || starts.contains(where: lower.hasPrefix)
      || whole.contains(lower.trimmingPrefix("\u{1F}").description)
  }
}

extension StreamFacts {
  /// What an audio stream is for, as far as the container says.
  fileprivate var role: TrackRole {
    if dispositions.contains(.comment) { return .commentary }
    return dispositions.isDisjoint(with: [.visualImpaired, .descriptions]) ? .main : .description
  }

  /// The dynamic range, or `nil` when neither container nor codec says.
  fileprivate var dynamicRange: DynamicRange? {
    guard let picture else { return nil }
    if picture.isDolbyVision { return .dolbyVision }
    if picture.isHDR10Plus { return .hdr10Plus }
    switch picture.transfer {
    case "smpte2084": return .hdr10
    case "arib-std-b67": return .hlg
    case nil, "unknown", "reserved":
      return codec.map { ["hevc", "av1", "vp9"].contains($0.name) } ?? true ? nil : .sdr
    default: return .sdr
    }
  }

  /// The layout; where a header has only a count, what the codec means by that count.
  fileprivate var channelLayout: String? {
    if let layout = sound?.layout { return layout }
    guard let codec, let channels = sound?.channels else { return nil }
    let side = ["ac3", "eac3", "dts"].contains(codec.name)
    switch channels {
    case 1: return "mono"
    case 2: return "stereo"
    case 6: return side ? "5.1(side)" : "5.1"
    case 8: return "7.1"
    default: return nil
    }
  }
}
