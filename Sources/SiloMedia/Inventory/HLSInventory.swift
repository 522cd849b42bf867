import SiloSystem

extension HLSPresentation {
  /// What is inside, with the language, role and bytes of each track.
  ///
  /// Tracks muxed into the variant stand together where EXT-X-MEDIA first names one, else first; then one for each
  /// rendition with a URI, equal names apart. Pure: everything was fetched before.
  public func inventory() -> MediaInventory {
    guard !renditions.isEmpty else { return MediaInventory(kind: .hls) }
    var draft = HLSInventoryDraft(self)
    draft.addAudio()
    draft.addSubtitles()
    draft.addVideo()
    return draft.finished()
  }

  /// What the user should be told of the tracks: renditions that are not there, channel counts that disagree.
  public func inventoryWarnings() -> [String] {
    guard !renditions.isEmpty else { return [] }
    var draft = HLSInventoryDraft(self)
    draft.addAudio()
    return draft.warnings
  }
}

/// The inventory of a presentation while it is made.
struct HLSInventoryDraft {
  private let presentation: HLSPresentation
  private let duration: Duration
  /// The bytes of each rendition.
  private var sizes: [SizeEstimate]
  private var video: [VideoTrack] = []
  private var audio: [AudioTrack] = []
  private var subtitles: [SubtitleTrack] = []
  private(set) var warnings: [String] = []

  init(_ presentation: HLSPresentation) {
    self.presentation = presentation
    duration = presentation.duration
    sizes = presentation.renditions.map(Self.size)
    if !sizes.isEmpty { sizes[0] = variantSize() }
  }

  // MARK: Sizes

  private static func size(of rendition: HLSRendition) -> SizeEstimate {
    let playlist = rendition.playlist
    if let sure = HLSSize.ofRanges(playlist) ?? HLSSize.ofBitrates(playlist) { return sure }
    if let first = HLSSize.ofFirstSegment(rendition) { return first }
    switch rendition.media?.kind {
    case .audio:
      let rate = HLSSize.usualRate("aac", channels: rendition.media?.channelCount)
      return HLSSize.ofRate(rate, playlist.playedDuration, .assumed) ?? .unknown
    case .subtitles:
      return HLSSize.ofRate(HLSSize.usualSubtitleRate, playlist.playedDuration, .assumed)
        ?? .unknown
    default: return .unknown
    }
  }

  /// The variant's own playlist: what AVERAGE-BANDWIDTH leaves when one audio rendition, which it counts, is taken off.
  private func variantSize() -> SizeEstimate {
    let playlist = presentation.renditions[0].playlist
    if let sure = HLSSize.ofRanges(playlist) ?? HLSSize.ofBitrates(playlist) { return sure }
    if sizes[0].basis == .measured, sizes[0].byteCount != nil { return sizes[0] }
    let played = playlist.playedDuration
    let apart = presentation.renditions.indices.dropFirst()
      .filter { presentation.renditions[$0].media?.kind == .audio }
      .compactMap { sizes[$0].byteCount }.max()
    if let whole = HLSSize.ofRate(presentation.variant?.averageBandwidth, played, .declared),
      let byteCount = whole.byteCount, byteCount > (apart ?? 0)
    {
      return SizeEstimate(byteCount: byteCount - (apart ?? 0), basis: .declared)
    }
    if sizes[0].byteCount != nil { return sizes[0] }
    return HLSSize.ofRate(presentation.variant?.bandwidth, played, .assumed) ?? .unknown
  }

  // MARK: Audio

  mutating func addAudio() {
    let said = presentation.described.filter { $0.kind == .audio }
    let muxed = HLSMuxedAudio(
      found: presentation.renditions[0].firstSegment?.inventory.audio,
      said: said.filter { !isApart($0) }, isLikely: isMuxedAudioLikely(said))
    for media in muxed.absent {
      warnings.append("The audio “\(Self.shown(media))” is named but not inside the variant.")
    }
    // What is muxed together stays together, in the order of the streams, where the playlist first speaks of it.
    var waiting = muxed.entries
    func addWaiting(_ inventory: inout Self) {
      for entry in waiting { inventory.addMuxed(entry) }
      waiting = []
    }
    if !waiting.contains(where: { $0.media != nil }) { addWaiting(&self) }
    var index = 0
    for media in said {
      if isApart(media) {
        index += 1
        addApart(media, index)
      } else {
        addWaiting(&self)
      }
    }
    keepOneDefault()
  }

  /// Whether a rendition has a playlist of its own.
  private func isApart(_ media: Rendition) -> Bool {
    media.url != nil && media.url != presentation.variant?.url
  }

  private func isMuxedAudioLikely(_ said: [Rendition]) -> Bool {
    guard said.isEmpty, let variant = presentation.variant else { return false }
    return variant.codecs.isEmpty || HLSCodecs.first(.audio, in: variant.codecs) != nil
  }

  private mutating func addMuxed(_ entry: HLSMuxedAudio.Entry) {
    var track = HLSTracks.audio(
      .rendition(0, ordinal: entry.ordinal), media: entry.media, found: entry.found,
      fallbackCodec: variantAudioCodec)
    let isOnly = presentation.variant.map { HLSCodecs.isAudioOnly($0.codecs) } ?? false
    let hasVideo = !(presentation.renditions[0].firstSegment?.inventory.video.isEmpty ?? isOnly)
    if !hasVideo, entry.ordinal == 0 {
      track.size = sizes[0]
    } else {
      share(&track, of: presentation.renditions[0])
    }
    check(track, entry.media)
    append(track)
  }

  private mutating func addApart(_ media: Rendition, _ index: Int) {
    let rendition = presentation.renditions[index]
    let found = rendition.firstSegment?.inventory.audio ?? []
    if rendition.firstSegment != nil, found.isEmpty {
      warnings.append("No sound was found in the first segment of “\(Self.shown(media))”.")
    }
    for ordinal in 0..<max(1, found.count) {
      let inside = found.indices.contains(ordinal) ? found[ordinal] : nil
      var track = HLSTracks.audio(
        .rendition(index, ordinal: ordinal), media: media, found: inside,
        fallbackCodec: variantAudioCodec)
      if found.count <= 1 {
        track.size = sizes[index]
        if track.bitsPerSecond == nil, let first = rendition.firstSegment {
          track.bitsPerSecond = Self.rate(first)
        }
      } else {
        share(&track, of: rendition)
      }
      if ordinal > 0 { track.isDefault = false }
      check(track, media)
      append(track)
    }
  }

  /// The bytes of one track among several: its share of the first segment, else its bit rate, else what is usual.
  private func share(_ track: inout AudioTrack, of rendition: HLSRendition) {
    if let first = rendition.firstSegment, first.duration > .zero,
      let byteCount = track.size.byteCount, byteCount > 0, track.size.basis <= .measured
    {
      track.bitsPerSecond = Int(exactly: (Double(byteCount) * 8 / first.duration.seconds).rounded())
    }
    let isKnown = track.bitsPerSecond != nil && HLSSize.isConstant(track.codec)
    let rate = track.bitsPerSecond ?? HLSSize.usualRate(track.codec, channels: track.channels)
    track.size = HLSSize.ofRate(rate, duration, isKnown ? .measured : .assumed) ?? .unknown
  }

  private var variantAudioCodec: Codec? {
    HLSCodecs.first(.audio, in: presentation.variant?.codecs ?? [])
  }

  private static func rate(_ first: HLSRendition.FirstSegment) -> Int? {
    guard first.duration > .zero, first.byteCount > 0 else { return nil }
    let rate = Double(first.byteCount) * 8 / first.duration.seconds
    return rate < 1e12 ? Int(rate.rounded()) : nil
  }

  private mutating func check(_ track: AudioTrack, _ media: Rendition?) {
    guard let media, let said = media.channelCount, let found = track.channels, said != found else {
      return
    }
    warnings.append(
      "The playlist says that “\(Self.shown(media))” has \(said) channels; it has \(found).")
  }

  private mutating func append(_ track: AudioTrack) {
    var track = track
    track.id = TrackID(.audio, audio.count)
    audio.append(track)
  }

  /// One default for each group (RFC 8216, 4.3.4.1.1), and there is one group.
  private mutating func keepOneDefault() {
    let first = audio.firstIndex { $0.isDefault }
    for index in audio.indices where index != first { audio[index].isDefault = false }
  }

  // MARK: Subtitles and video

  mutating func addSubtitles() {
    let inside = presentation.renditions[0].firstSegment?.inventory.subtitles ?? []
    for (ordinal, found) in inside.enumerated() {
      var track = found
      track.id = TrackID(.subtitle, subtitles.count)
      track.place = .rendition(0, ordinal: ordinal)
      subtitles.append(track)
    }
    for (index, rendition) in presentation.renditions.enumerated() {
      if index == 0, rendition.form == .webVTT {
        // A playlist of subtitles that was given directly.
        let track = SubtitleTrack(
          id: TrackID(.subtitle, 0), place: .rendition(0, ordinal: 0), codec: "webvtt",
          size: sizes[0])
        subtitles.append(track)
      }
      guard let media = rendition.media, media.kind == .subtitles else { continue }
      let declared = HLSCodecs.first(.subtitle, in: presentation.variant?.codecs ?? [])
      var track = HLSTracks.subtitle(
        .rendition(index, ordinal: 0), media: media,
        found: rendition.firstSegment?.inventory.subtitles.first,
        codec: rendition.form == .webVTT ? "webvtt" : declared ?? "webvtt")
      track.id = TrackID(.subtitle, subtitles.count)
      track.size = sizes[index]
      track.isDefault = track.isDefault && !subtitles.contains { $0.isDefault }
      subtitles.append(track)
    }
  }

  mutating func addVideo() {
    let variant = presentation.variant
    let rendition = presentation.renditions[0]
    let found: [VideoTrack?]
    if let first = rendition.firstSegment {
      found = first.inventory.video
    } else if let variant, !HLSCodecs.isAudioOnly(variant.codecs) {
      found = [nil]
    } else {
      found = []
    }
    for (ordinal, inside) in found.enumerated() {
      var track = HLSTracks.video(
        .rendition(0, ordinal: ordinal), variant: variant, found: inside)
      track.id = TrackID(.video, ordinal)
      track.size = ordinal == 0 ? videoSize() : .unknown
      video.append(track)
    }
  }

  /// What the muxed sound leaves of the variant's bytes.
  private func videoSize() -> SizeEstimate {
    guard let whole = sizes[0].byteCount else { return .unknown }
    var (left, basis) = (whole, sizes[0].basis)
    for track in audio where track.place.rendition == 0 {
      guard let byteCount = track.size.byteCount else { return .unknown }
      left -= byteCount
      basis = max(basis, track.size.basis == .assumed ? .declared : track.size.basis)
    }
    return left > 0 ? SizeEstimate(byteCount: left, basis: basis) : .unknown
  }

  // MARK: The whole

  func finished() -> MediaInventory {
    let first = presentation.renditions[0]
    let isFragmented = first.playlist.segments.contains { $0.initSection != nil }
    let whole = sizes.dropFirst().reduce(sizes[0], +)
    return MediaInventory(
      kind: .hls,
      container: first.firstSegment?.inventory.container ?? (isFragmented ? "mp4" : nil),
      duration: duration, size: whole, video: video, audio: audio, subtitles: subtitles,
      chapters: presentation.chapters, encryption: presentation.encryption,
      title: presentation.title)
  }

  private static func shown(_ media: Rendition) -> String {
    PlaylistText.quoted((media.name ?? media.language ?? media.groupID).utf8)
  }
}

extension TrackPlace {
  /// The index of the rendition; `nil` for a stream of one file.
  var rendition: Int? {
    if case .rendition(let index, _) = self { index } else { nil }
  }
}
