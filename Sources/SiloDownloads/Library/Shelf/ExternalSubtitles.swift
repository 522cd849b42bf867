import SiloContract
import SiloMedia

/// Which subtitle files beside the media are kept (pure): the same choice as for tracks inside, and one choice for both.
struct ExternalSubtitles: Sendable {
  /// A file that is kept.
  struct Kept: Hashable, Sendable {
    var subtitle: ManifestSubtitle
    var language: LanguageTag?
    /// Why, in a few words.
    var why: String
    /// Whether its language was asked for by name.
    var isNamed: Bool

    /// The language and the marks as they stand in a name.
    var marks: [String] {
      // Variants are not read by anybody, and make the name long.
      let short = language.map { tag in
        tag.description.utf8.count <= 10 ? tag.description : tag.primary
      }
      return [
        short, subtitle.isForced == true ? "forced" : nil,
        subtitle.isHearingImpaired == true ? "sdh" : nil,
      ].compactMap { $0 }
    }

    /// As a person calls it.
    var name: String {
      let name = language.map { "\($0.englishName) " } ?? ""
      return "the \(name)subtitles" + (subtitle.isForced == true ? " (forced)" : "")
    }
  }

  /// The most files that are looked at.
  static let limit = 256

  /// The files that are kept, in the server's order.
  let kept: [Kept]
  /// What there is to say of the choice of tracks when these files count, too; `nil` when nothing can be chosen.
  let warnings: [String]?

  /// Chooses among `subtitles` and the tracks of `inventory` by `wishes`.
  init(_ subtitles: [ManifestSubtitle], wishes: TrackWishes, inventory: MediaInventory) {
    var inventory = inventory
    let subtitles = subtitles.prefix(Self.limit)
    let first = (inventory.subtitles.map(\.id.ordinal).max() ?? -1) + 1
    let tracks = subtitles.enumerated().map { index, subtitle in
      SubtitleTrack(
        id: TrackID(.subtitle, first + index), place: .stream(first + index),
        language: StoredLanguage(subtitle.language).language, storedLanguage: subtitle.language,
        codec: Codec(subtitle.format ?? ""), isForced: subtitle.isForced ?? false,
        isHearingImpaired: subtitle.isHearingImpaired ?? false)
    }
    inventory.subtitles += tracks
    guard let selection = try? inventory.select(wishes) else {
      (kept, warnings) = ([], nil)
      return
    }
    warnings = selection.warnings
    let chosen = Set(selection.subtitles)
    kept = zip(subtitles, tracks).filter { chosen.contains($1.id) }.map { subtitle, track in
      Kept(
        subtitle: subtitle, language: track.language, why: selection.reasons[track.id] ?? "",
        isNamed: Self.isNamed(track.language, wishes.subtitles))
    }
  }

  private static func isNamed(_ language: LanguageTag?, _ wish: TrackWishes.SubtitleWish) -> Bool {
    guard case .languages(let list) = wish, let language else { return false }
    return list.contains { LanguageTier(wanted: $0, stored: language) != nil }
  }
}
