import SiloContract
import SiloMedia

extension Inspection {
  /// Adds subtitle files that lie beside the media at its server, and chooses among them as a download does (pure).
  ///
  /// Their bytes are not known, and no part of what the choice takes; forms that a download does not keep are left out.
  mutating func add(beside subtitles: [VersionSubtitle], _ wishes: TrackWishes) {
    let kept = subtitles.filter { $0.isExternal == true && SubtitleForm(format: $0.codec) != nil }
    let first = (inventory.subtitles.map(\.id.ordinal).max() ?? -1) + 1
    let tracks = kept.prefix(ExternalSubtitles.limit).enumerated().map { index, subtitle in
      SubtitleTrack(
        id: TrackID(.subtitle, first + index), place: .stream(first + index),
        language: StoredLanguage(subtitle.language).language, storedLanguage: subtitle.language,
        title: subtitle.title, codec: Codec(subtitle.codec ?? ""),
        isForced: subtitle.isForced ?? false,
        isHearingImpaired: subtitle.isHearingImpaired ?? false,
        isDefault: subtitle.isDefault ?? false)
    }
    guard !tracks.isEmpty else { return }
    inventory.subtitles += tracks
    subtitlesBeside = Set(tracks.map(\.id))
    guard let choice = try? inventory.select(wishes) else { return }
    selection.subtitles = choice.subtitles
    selection.warnings = choice.warnings
    for track in tracks { selection.reasons[track.id] = choice.reasons[track.id] }
  }
}
