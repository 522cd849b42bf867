import SiloDownloads
import SiloMedia
import SiloSystem

/// Entries of the library for people and scripts.
enum LibraryEntryText {
  /// The object of `entry` in one line.
  static func json(_ entry: LibraryEntry) -> String {
    var line = FlatJSON()
    line.add("bytes", entry.byteCount)
    line.add("id", entry.id)
    line.add("path", entry.url.pathText)
    line.add("sha256", entry.sha256)
    line.add("source", entry.source)
    line.add("state", entry.condition.rawValue)
    line.add("title", entry.title)
    return line.text
  }

  /// One row each, the sum below.
  static func table(_ entries: [LibraryEntry], _ terminal: Terminal) -> [String] {
    if entries.isEmpty { return ["The library is empty."] }
    let rows = entries.map { entry in
      [
        entry.id, entry.condition.rawValue, ByteCount.text(entry.byteCount),
        Columns.cut(Redaction.printable(entry.title), to: 50),
        Redaction.printable(entry.url.pathText),
      ]
    }
    let sum = entries.reduce(Int64(0)) { $0 + $1.byteCount }
    let files = entries.count == 1 ? "1 file" : "\(entries.count) files"
    return RowTable.lines(["ID", "STATE", "BYTES", "TITLE", "PATH"], rows, terminal) + [
      "\(files), \(ByteCount.text(sum))"
    ]
  }

  /// One entry with its tracks.
  static func lines(
    _ entry: LibraryEntry, _ inventory: MediaInventory, _ sideFiles: [SideFile],
    _ terminal: Terminal
  ) -> [String] {
    let table = TrackTable(
      inventory: inventory, selection: TrackSelection(), terminal: terminal, showsChoice: false)
    return [
      terminal.styled("\(entry.id)  \(Redaction.printable(entry.title))", .bold),
      "  path    \(Redaction.printable(entry.url.pathText))",
      "  source  \(Redaction.printable(entry.source))",
      "  bytes   \(entry.byteCount), \(entry.condition.rawValue)", "  sha-256 \(entry.sha256)",
    ]
      + sideFiles.map { file in
        let state = file.condition == .finished ? "" : ", \(file.condition.rawValue)"
        return
          "  beside  \(Redaction.printable(file.url.pathText)) (\(file.kind), \(ByteCount.text(file.byteCount))\(state))"
      } + table.lines.map { "  " + $0 }
  }
}

/// A stored file and its tracks in JSON: the keys of an inventory and those of the entry.
struct StoredJSON: Encodable {
  let entry: LibraryEntry
  let inventory: MediaInventory
  let sideFiles: [SideFile]

  private enum CodingKeys: String, CodingKey {
    case id, path, state, sha256, title, bytes
    case sideFiles = "side_files"
  }

  private struct Beside: Encodable {
    var bytes: Int64
    var kind, path, state: String
  }

  func encode(to encoder: any Encoder) throws {
    try InventoryJSON(source: entry.source, inventory: inventory).encode(to: encoder)
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(entry.id, forKey: .id)
    try keys.encode(entry.url.pathText, forKey: .path)
    try keys.encode(entry.condition.rawValue, forKey: .state)
    try keys.encode(entry.sha256, forKey: .sha256)
    try keys.encode(inventory.title ?? entry.title, forKey: .title)
    try keys.encode(entry.byteCount, forKey: .bytes)
    let beside = sideFiles.map {
      Beside(
        bytes: $0.byteCount, kind: $0.kind, path: $0.url.pathText, state: $0.condition.rawValue)
    }
    try keys.encode(beside, forKey: .sideFiles)
  }
}
