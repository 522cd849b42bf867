import SiloMedia
import SiloSystem

/// The tracks of a source for people: one row each, the chosen ones marked.
struct TrackTable {
  let inventory: MediaInventory
  let selection: TrackSelection
  let terminal: Terminal
  /// Whether the reason for each track is printed below the table.
  var showsReasons = false
  /// Whether tracks are chosen at all, rather than all there.
  var showsChoice = true
  /// The subtitles that are files beside the media.
  var beside: Set<TrackID> = []

  private struct Row {
    var mark: String
    var cells: [String]
    var isChosen: Bool
  }

  /// The lines: facts of the source, the table, what the choice costs.
  var lines: [String] {
    [facts] + table + (showsChoice ? choice : []) + (showsReasons ? reasons : [])
  }

  private var facts: String {
    let inventory = inventory
    var parts = [inventory.kind == .hls ? "HLS" : nil, inventory.container].compactMap { $0 }
    if let duration = inventory.duration { parts.append(ClockText.text(duration)) }
    parts.append(Self.size(inventory.size))
    if inventory.encryption != .none { parts.append("encrypted: \(inventory.encryption.name)") }
    let chapters = inventory.chapters.count
    if chapters > 0 { parts.append(Self.count(chapters, "chapter")) }
    let title = inventory.title.map { "\"\(Redaction.printable($0))\": " } ?? ""
    return title + parts.filter { !$0.isEmpty }.joined(separator: ", ")
  }

  private var table: [String] {
    let rows = inventory.video.map(row) + inventory.audio.map(row) + inventory.subtitles.map(row)
    if rows.isEmpty { return [] }
    let heading = Row(
      mark: " ", cells: ["TRACK", "LANGUAGE", "NAME", "CODEC", "DETAILS", "BYTES"], isChosen: false)
    let all = [heading] + rows
    let widths = heading.cells.indices.map { column in
      all.map { Columns.count($0.cells[column]) }.max() ?? 0
    }
    return all.enumerated().map { index, row in
      let last = row.cells.count - 1
      let cells = row.cells.enumerated().map { column, cell in
        column == last ? cell : Columns.padded(cell, to: widths[column])
      }
      let line = "\(row.mark) " + cells.joined(separator: "  ")
      let text = String(line.reversed().drop { $0 == " " }.reversed())
      if index == 0 { return terminal.styled(text, .bold) }
      return row.isChosen ? terminal.styled(text, .green) : text
    }
  }

  private func row(_ track: VideoTrack) -> Row {
    var details: [String] = []
    if let width = track.width, let height = track.height { details.append("\(width)x\(height)") }
    if let rate = track.frameRate { details.append("\(ClockText.decimal(rate)) fps") }
    if let range = track.dynamicRange, range != .sdr { details.append(range.rawValue) }
    return row(track.id, track.language, track.title, track.codec, details, track.size)
  }

  private func row(_ track: AudioTrack) -> Row {
    var details = [track.layout ?? track.channels.map { "\($0) channels" }].compactMap { $0 }
    if track.isDefault { details.append("default") }
    if track.isOriginal { details.append("original") }
    if track.role != .main { details.append(track.role.rawValue) }
    if !track.isUsable { details.append("not playable") }
    return row(track.id, track.language, track.title, track.codec, details, track.size)
  }

  private func row(_ track: SubtitleTrack) -> Row {
    var details: [String] = []
    if track.isDefault { details.append("default") }
    if track.isForced { details.append("forced") }
    if track.isHearingImpaired { details.append("hearing impaired") }
    if track.isCommentary { details.append("commentary") }
    if beside.contains(track.id) { details.append("a file beside it") }
    return row(track.id, track.language, track.title, track.codec, details, track.size)
  }

  private func row(
    _ id: TrackID, _ language: LanguageTag?, _ title: String?, _ codec: Codec, _ details: [String],
    _ size: SizeEstimate
  ) -> Row {
    let chosen = selection.tracks.contains(id)
    let name = title.map { Columns.cut(Redaction.printable($0), to: 28) } ?? "-"
    return Row(
      mark: chosen ? "*" : " ",
      cells: [
        id.description, language.map(LanguageText.text) ?? "-", name,
        Redaction.printable(codec.name), Redaction.printable(details.joined(separator: ", ")),
        Self.size(size),
      ], isChosen: chosen)
  }

  private var choice: [String] {
    var audio = selection.audio.map { id in
      let language = inventory.audio.first { $0.id == id }?.language?.description
      let name = language.map { "\(id) \($0)" } ?? id.description
      return id == selection.defaultAudio ? "\(name) (default)" : name
    }
    if audio.isEmpty { audio = ["no audio"] }
    let subtitles =
      selection.subtitles.isEmpty
      ? "no subtitles" : Self.count(selection.subtitles.count, "subtitle")
    let bytes = Self.size(selection.size)
    var lines = [
      "Chosen: \(audio.joined(separator: ", ")); \(subtitles); "
        + (bytes.isEmpty ? "size not known" : bytes)
    ]
    if !selection.missing.isEmpty {
      let missing = selection.missing.map(Redaction.printable).joined(separator: ", ")
      lines.append("Missing: \(missing)")
    }
    return lines
  }

  private var reasons: [String] {
    selection.reasons.sorted { $0.key < $1.key }
      .map { "  \($0.key): \(Redaction.printable($0.value))" }
  }

  /// `18.0 MiB exact`; empty when nothing is known.
  static func size(_ size: SizeEstimate) -> String {
    guard let bytes = size.byteCount else { return "" }
    return "\(ByteCount.text(bytes)) \(size.basis.rawValue)"
  }

  private static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)" + (number == 1 ? "" : "s")
  }
}
