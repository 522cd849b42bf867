import SiloSystem

/// What of a selection would fit a limit: rows to print, from the smallest on.
public struct BudgetProposal: Hashable, Sendable, Codable {
  /// The pictures, the subtitles and some of the audio tracks.
  public struct Row: Hashable, Sendable, Codable {
    /// The audio tracks, in order of preference.
    public let audio: [TrackID]
    /// The row in words: `video + tr + en`.
    public let label: String
    /// The bytes of all its tracks.
    public let size: SizeEstimate
    /// Whether it fits.
    public let fits: Bool
  }

  /// The limit in bytes.
  public let limit: Int64
  /// The default track alone, then with each other track, then with more and more of them in order of preference.
  public let rows: [Row]

  /// The rows for a selection; of more than eight audio tracks, the first eight.
  public init(_ inventory: MediaInventory, selection: TrackSelection, limit: Int64) {
    self.limit = limit
    let audio = Array(selection.audio.prefix(8))
    var sets: [[TrackID]] = audio.first.map { [[$0]] } ?? [[]]
    if let first = audio.first { sets += audio.dropFirst().map { [first, $0] } }
    if audio.count > 2 { sets += (3...audio.count).map { Array(audio.prefix($0)) } }
    rows = sets.map { set in
      var part = selection
      part.audio = set
      let size = inventory.size(of: part)
      return Row(
        audio: set, label: Self.label(inventory, selection, set), size: size,
        fits: size.byteCount.map { $0 <= limit } ?? false)
    }
    .sorted {
      ($0.size.byteCount ?? .max, $0.audio.count) < ($1.size.byteCount ?? .max, $1.audio.count)
    }
  }

  /// The row that fits and keeps the most tracks, of equal ones the most preferred; `nil` when none fits.
  public var best: Row? {
    let fitting = rows.filter(\.fits)
    let most = fitting.map(\.audio.count).max()
    return fitting.filter { $0.audio.count == most }
      .min { $0.audio.map(\.ordinal).lexicographicallyPrecedes($1.audio.map(\.ordinal)) }
  }

  /// One sentence that says what would fit.
  public var advice: String {
    if let best {
      let size = best.size.byteCount.map { " (\(ByteCount.text($0)))" } ?? ""
      return "This would fit: \(best.label)\(size)."
    }
    guard let least = rows.first, let bytes = least.size.byteCount else {
      return "Nothing of it fits."
    }
    return "Even \(least.label) needs \(ByteCount.text(bytes))."
  }

  private static func label(
    _ inventory: MediaInventory, _ selection: TrackSelection, _ audio: [TrackID]
  ) -> String {
    let tracks = audio.compactMap { id in inventory.audio.first { $0.id == id } }
    let names = tracks.map { track in
      let language = track.language?.description ?? "\(track.id)"
      let isAlone = inventory.audio.filter { $0.language == track.language }.count == 1
      let role = track.role == .main ? "" : " " + SelectionReasons.name(of: track.role)
      return language + role + (isAlone || track.language == nil ? "" : " (\(track.id))")
    }
    return ((selection.video.isEmpty ? [] : ["video"]) + names).joined(separator: " + ")
  }
}
