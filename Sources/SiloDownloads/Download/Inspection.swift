public import SiloMedia

/// What a source holds and what the wishes choose of it.
public struct Inspection: Sendable {
  /// The tracks and facts of the source.
  public var inventory: MediaInventory
  /// What the wishes choose.
  public var selection: TrackSelection
  /// What the user should be told.
  public var warnings: [String]
  /// Those of `inventory.subtitles` that are files beside the media, at its server.
  public var subtitlesBeside: Set<TrackID> = []

  /// An inspection of the given parts.
  public init(inventory: MediaInventory, selection: TrackSelection, warnings: [String] = []) {
    self.inventory = inventory
    self.selection = selection
    self.warnings = warnings
  }
}
