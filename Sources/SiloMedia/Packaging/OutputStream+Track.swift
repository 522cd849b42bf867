extension OutputStream {
  /// What a container is told of a track.
  init(_ track: PackageTrack, container: OutputContainer) {
    self.container = container
    var flags: Dispositions = track.isDefault ? .isDefault : []
    if track.isOriginal { flags.insert(.original) }
    if track.isForced { flags.insert(.forced) }
    if track.isHearingImpaired { flags.insert(.hearingImpaired) }
    switch track.role {
    case .main: break
    case .commentary: flags.insert(.comment)
    case .description: flags.insert(.visualImpaired)
    }
    dispositions = flags
    metadata = [:]
    if let room = MatroskaNameRoom(track, container: container) {
      metadata["title"] = room.placeholder
    } else if let title = track.title, !title.isEmpty {
      metadata["title"] = title
      // Players of MP4 show the handler's name.
      if container == .mp4 { metadata["handler_name"] = title }
    }
    metadata["language"] = container.code(of: track.language)
  }
}

extension MatroskaNameRoom {
  /// The room that a track needs; `nil` when three letters say its language.
  init?(_ track: PackageTrack, container: OutputContainer) {
    guard container == .mkv, let language = track.language, language.isMoreThanThreeLetters else {
      return nil
    }
    self.init(title: track.title, language: language.description)
  }
}

extension OutputContainer {
  /// How the container writes a language; `nil` is undetermined.
  func code(of language: LanguageTag?) -> String? {
    switch self {
    case .mp4: language?.iso639_2T
    case .mkv: language?.iso639_2B
    }
  }

  /// What its muxer is told.
  var muxerOptions: [String: String] {
    switch self {
    case .mp4:
      // A fine clock of the whole film keeps start offsets to the tick, not to the millisecond below.
      ["movie_timescale": "90000", "avoid_negative_ts": "disabled", "use_editlist": "1"]
    case .mkv: ["default_mode": "passthrough", "write_crc32": "0"]
    }
  }
}
