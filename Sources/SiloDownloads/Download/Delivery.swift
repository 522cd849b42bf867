import SiloMedia

/// How the chosen tracks become the finished file (pure).
enum Delivery: Hashable, Sendable {
  /// The source's bytes as they are.
  case asStored
  /// The chosen tracks, written into a container.
  case packaged(OutputContainer)

  /// The suffix that the finished file should have; of a file stored as it is, that of its own container.
  func suffix(of inventory: MediaInventory) -> String? {
    switch self {
    case .packaged(let container): container.rawValue
    case .asStored: inventory.container.map { Self.suffixes[$0] ?? $0 }
    }
  }

  /// The suffix of a container is mostly its name.
  private static let suffixes = ["mpegts": "ts", "matroska": "mkv", "adts": "aac", "ogg": "ogg"]

  /// The container that a suffix of `--output` asks for.
  static func container(ofSuffix suffix: String) -> OutputContainer? {
    switch suffix.lowercased() {
    case "mp4", "m4v", "m4a", "mov": .mp4
    case "mkv", "mka", "mks": .mkv
    default: nil
    }
  }

  /// A plain file is stored byte for byte when all of it was chosen, its default track is the chosen one, and no other
  /// container was asked for; everything else is packaged.
  ///
  /// - Parameters:
  ///   - asked: what `--container`, else the suffix of `--output`, asks for.
  ///   - hasPreference: whether the user said which audio plays first.
  init(
    inventory: MediaInventory, selection: TrackSelection, asked: OutputContainer?,
    hasPreference: Bool
  ) throws {
    let keepsContainer =
      asked == nil || asked?.rawValue == inventory.container
    let count = inventory.video.count + inventory.audio.count + inventory.subtitles.count
    if inventory.kind == .file, keepsContainer, selection.tracks.count == count,
      !hasPreference || Self.hasDefault(inventory, selection.defaultAudio)
    {
      self = .asStored
      return
    }
    self = .packaged(
      try ContainerChoice.choose(for: selection.tracks, of: inventory, asked: asked).container)
  }

  /// Whether players choose `track` of the file as it is: it is the only default, or the first of none.
  private static func hasDefault(_ inventory: MediaInventory, _ track: TrackID?) -> Bool {
    let defaults = inventory.audio.filter(\.isDefault).map(\.id)
    return (defaults.isEmpty ? inventory.audio.first.map { [$0.id] } ?? [] : defaults)
      == [track].compactMap { $0 }
  }
}
