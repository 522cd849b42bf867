import SiloSystem

/// Audio and subtitle tracks as EXT-X-MEDIA and a first segment describe them together.
enum HLSTracks {
  /// The audio track at `place`; the bitstream is trusted for what it holds, the playlist for what it means.
  static func audio(
    _ place: TrackPlace, media: Rendition?, found: AudioTrack?, fallbackCodec: Codec?
  ) -> AudioTrack {
    var track =
      found
      ?? AudioTrack(id: TrackID(.audio, 0), place: place, codec: fallbackCodec ?? "unknown")
    track.place = place
    if found == nil { track.isUsable = fallbackCodec != nil || media != nil }
    guard let media else { return track }
    track.isDefault = media.isDefault
    track.title = media.name ?? track.title
    track.channels = track.channels ?? media.channelCount
    track.sampleRate = track.sampleRate ?? media.sampleRate
    name(&track, media)
    describe(&track, media)
    return track
  }

  /// LANGUAGE, else NAME, else what the bitstream carries.
  private static func name(_ track: inout AudioTrack, _ media: Rendition) {
    let stored = StoredLanguage(media.language)
    let carried = (track.language, track.storedLanguage)
    track.inferences.remove(.language)
    (track.language, track.storedLanguage) = (stored.language, media.language)
    track.isOriginal = track.isOriginal || stored.isOriginalToken
    if stored.isDescriptionToken { track.role = .description }
    guard track.language == nil else { return }
    if let name = media.name, let language = TitleInference.language(inTitle: name) {
      track.language = language
      track.inferences.insert(.language)
    } else if carried.0 != nil {
      (track.language, track.storedLanguage) = (carried.0, media.language ?? carried.1)
    }
  }

  private static func describe(_ track: inout AudioTrack, _ media: Rendition) {
    if media.characteristics.contains("public.accessibility.describes-video") {
      track.role = .description
      track.inferences.remove(.role)
    } else if track.role == .main, let role = media.name.flatMap(TitleInference.role(inTitle:)) {
      track.role = role
      track.inferences.insert(.role)
    }
  }

  /// The subtitle track at `place`.
  static func subtitle(
    _ place: TrackPlace, media: Rendition, found: SubtitleTrack?, codec: Codec
  ) -> SubtitleTrack {
    let name = media.name ?? ""
    let stored = StoredLanguage(media.language)
    let sounds = "public.accessibility.describes-music-and-sound"
    return SubtitleTrack(
      id: TrackID(.subtitle, 0), place: place,
      language: stored.language ?? TitleInference.language(inTitle: name) ?? found?.language,
      storedLanguage: media.language ?? found?.storedLanguage,
      title: media.name ?? found?.title, codec: found?.codec ?? codec,
      isForced: media.isForced || TitleInference.isForced(inTitle: name),
      isHearingImpaired: media.characteristics.contains(sounds)
        || TitleInference.isHearingImpaired(inTitle: name),
      isDefault: media.isDefault,
      isCommentary: TitleInference.role(inTitle: name) == .commentary)
  }

  /// The picture as the variant's attributes and the first segment describe it.
  static func video(
    _ place: TrackPlace, variant: MultivariantPlaylist.Variant?, found: VideoTrack?
  ) -> VideoTrack {
    var track =
      found
      ?? VideoTrack(
        id: TrackID(.video, 0), place: place,
        codec: HLSCodecs.first(.video, in: variant?.codecs ?? []) ?? "unknown")
    track.place = place
    track.width = track.width ?? variant?.width
    track.height = track.height ?? variant?.height
    track.frameRate = track.frameRate ?? variant?.frameRate
    let declared = variant.flatMap(DynamicRange.init)
    // The layer that makes it Dolby Vision need not show in the first packets.
    if track.dynamicRange == nil || declared == .dolbyVision {
      track.dynamicRange = declared ?? track.dynamicRange
    }
    return track
  }
}
