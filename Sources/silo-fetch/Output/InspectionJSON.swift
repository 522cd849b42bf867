import SiloDownloads
import SiloMedia

/// What `probe --json` prints.
struct ProbeJSON: Encodable {
  let source: String
  let inspection: Inspection

  private enum CodingKeys: String, CodingKey { case selection, warnings }

  func encode(to encoder: any Encoder) throws {
    try InventoryJSON(
      source: source, inventory: inspection.inventory, beside: inspection.subtitlesBeside
    ).encode(to: encoder)
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(SelectionJSON(inspection.selection), forKey: .selection)
    let warnings = inspection.allWarnings
    if !warnings.isEmpty { try keys.encode(warnings, forKey: .warnings) }
  }
}

/// The facts of a source: of `probe`, of the `inventory` event.
struct InventoryJSON: Encodable {
  let source: String
  let inventory: MediaInventory
  /// The subtitles that are files beside it.
  var beside: Set<TrackID> = []

  private enum CodingKeys: String, CodingKey {
    case source, kind, container, title, duration, video, audio, subtitles, chapters, encryption
  }

  func encode(to encoder: any Encoder) throws {
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(source, forKey: .source)
    try keys.encode(inventory.kind, forKey: .kind)
    try keys.encodeIfPresent(inventory.container, forKey: .container)
    try keys.encodeIfPresent(inventory.title, forKey: .title)
    try keys.encodeIfPresent(inventory.duration.map(JSONLine.seconds), forKey: .duration)
    try SizeJSON(inventory.size).encode(to: encoder)
    try keys.encode(inventory.video.map(VideoJSON.init), forKey: .video)
    try keys.encode(inventory.audio.map(AudioJSON.init), forKey: .audio)
    try keys.encode(
      inventory.subtitles.map { SubtitleJSON($0, isBeside: beside.contains($0.id)) },
      forKey: .subtitles)
    try keys.encode(inventory.chapters.map(ChapterJSON.init), forKey: .chapters)
    try keys.encode(inventory.encryption.name, forKey: .encryption)
  }
}

/// A chapter in JSON.
struct ChapterJSON: Encodable {
  let start: Double
  let end: Double?
  let title: String?

  init(_ chapter: Chapter) {
    start = JSONLine.seconds(chapter.start)
    end = chapter.end.map(JSONLine.seconds)
    title = chapter.title
  }
}

/// What was chosen: of `probe`, of the `selected` event.
struct SelectionJSON: Encodable {
  let selection: TrackSelection

  init(_ selection: TrackSelection) { self.selection = selection }

  private enum CodingKeys: String, CodingKey {
    case video, audio
    case defaultAudio = "default_audio"
    case subtitles, missing, fallback, reasons
  }

  func encode(to encoder: any Encoder) throws {
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(selection.video, forKey: .video)
    try keys.encode(selection.audio, forKey: .audio)
    try keys.encodeIfPresent(selection.defaultAudio, forKey: .defaultAudio)
    try keys.encode(selection.subtitles, forKey: .subtitles)
    try keys.encode(selection.missing, forKey: .missing)
    try keys.encode(selection.isFallback, forKey: .fallback)
    let reasons = selection.reasons.map { ($0.key.description, $0.value) }
    try keys.encode(Dictionary(reasons) { first, _ in first }, forKey: .reasons)
    try SizeJSON(selection.size).encode(to: encoder)
  }
}

extension Inspection {
  /// What the inspection and its selection tell, each once.
  var allWarnings: [String] {
    warnings + selection.warnings.filter { !warnings.contains($0) }
  }
}
