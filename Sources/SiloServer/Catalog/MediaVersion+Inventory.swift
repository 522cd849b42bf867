import SiloContract
import SiloMedia
import SiloSystem

extension MediaVersion {
  /// What is known of a file, and of the tracks in it.
  init(_ file: CatalogFile, _ inventory: MediaInventory?) {
    self.init(fileID: MediaFileID(file.id), fileSize: file.byteCount)
    let summary = file.summary
    fileName = file.name
    (resolution, videoCodec) = (summary.resolution, summary.videoCodec)
    (audioCodec, isHDR) = (summary.audioCodec, summary.isHDR)
    container = summary.container
    // Whole seconds, as every server of the contract sends: clients read an integer.
    durationSeconds = summary.durationSeconds?.rounded()
    addedAt = Timestamp(seconds: file.modified / 1_000_000_000)
    if let seconds = summary.durationSeconds, seconds >= 1 {
      kilobitsPerSecond = Int(Double(file.byteCount) * 8 / seconds / 1000)
    }
    let subtitles =
      (inventory?.subtitles ?? []).map(VersionSubtitle.init)
      + file.subtitles.map(VersionSubtitle.init)
    subtitleTracks = subtitles.isEmpty ? nil : subtitles
    guard let inventory else { return }
    let audio = inventory.audio
    if !audio.isEmpty {
      let chosen = audio.firstIndex(where: \.isDefault) ?? 0
      effectiveAudioTrackIndex = chosen
      effectiveAudioLanguage = audio[chosen].language?.description
      audioTracks = audio.map(VersionAudioTrack.init)
    }
    if !inventory.chapters.isEmpty {
      chapters = inventory.chapters.enumerated().map { index, chapter in
        VersionChapter(
          index: index, title: chapter.title, startSeconds: chapter.start.seconds,
          endSeconds: (chapter.end ?? inventory.duration ?? chapter.start).seconds)
      }
    }
  }
}

extension VersionAudioTrack {
  fileprivate init(_ track: AudioTrack) {
    self.init()
    (title, embeddedTitle) = (track.title, track.title)
    language = track.language?.description
    codec = track.codec.name
    (layout, channels, sampleRate) = (track.layout, track.channels, track.sampleRate)
    kilobitsPerSecond = track.bitsPerSecond.map { $0 / 1000 }
    isDefault = track.isDefault
  }
}

extension VersionSubtitle {
  fileprivate init(_ track: SubtitleTrack) {
    self.init()
    title = track.title
    language = track.language?.description
    codec = track.codec.name
    (isForced, isHearingImpaired) = (track.isForced, track.isHearingImpaired)
    isDefault = track.isDefault
  }

  /// A file beside the media.
  init(_ sidecar: CatalogPlan.Sidecar) {
    self.init()
    let name = sidecar.name
    title = name.title
    language = name.language?.description
    codec = sidecar.format
    (isForced, isHearingImpaired) = (name.isForced, name.isHearingImpaired)
    (isDefault, isExternal) = (name.isDefault, true)
    fileName = CatalogPlanner.parts(of: sidecar.path).name
  }
}

extension EpisodeFile {
  /// What a list tells of a file.
  init(_ file: CatalogFile) {
    self.init(fileID: MediaFileID(file.id), fileSize: file.byteCount)
    let summary = file.summary
    (resolution, videoCodec) = (summary.resolution, summary.videoCodec)
    (isHDR, audioChannels) = (summary.isHDR, summary.audioChannels)
    container = summary.container
  }
}
