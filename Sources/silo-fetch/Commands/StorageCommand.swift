import SiloDownloads
import SiloMedia
import SiloSystem

/// `storage`: the bytes that downloads take.
struct StorageCommand: Sendable {
  let display: DisplayOptions
  let surroundings: Surroundings

  /// Reads the settings.
  init(settings: Settings, surroundings: Surroundings) throws(UsageError) {
    display = try DisplayOptions(settings)
    self.surroundings = surroundings
  }

  /// Prints it; never throws.
  func run() async -> ExitCode {
    do {
      let library = await surroundings.ownLibrary()
      let use = try await library.storage()
      for text in library.warnings() { surroundings.errors.line("warning: \(text)") }
      if display.isJSON {
        surroundings.output.line(JSONLine.text(StorageJSON(use)))
      } else {
        surroundings.output.write(lines(use).map { $0 + "\n" }.joined())
      }
      return .success
    } catch {
      return CommandFailure.tell(error, display, surroundings)
    }
  }

  private func lines(_ use: StorageUse) -> [String] {
    let rows = use.items.map { item in
      [
        item.id, item.state, ByteCount.text(item.byteCount),
        Columns.cut(Redaction.printable(item.title), to: 50), Redaction.printable(item.path),
      ]
    }
    let terminal = surroundings.outputTerminal(display.color)
    var lines = RowTable.lines(["ID", "STATE", "BYTES", "TITLE", "PATH"], rows, terminal)
    var sums = ["\(ByteCount.text(use.byteCount)) used"]
    if use.reservedByteCount > 0 {
      sums.append("\(ByteCount.text(use.reservedByteCount)) to come")
    }
    if let free = use.freeByteCount { sums.append("\(ByteCount.text(free)) free") }
    lines.append(sums.joined(separator: ", "))
    if !use.orphans.isEmpty {
      lines.append("Left over of no item:")
      lines += use.orphans.map {
        "  \(ByteCount.text($0.byteCount))  \(Redaction.printable($0.path))"
      }
    }
    return lines
  }
}

/// What `storage --json` prints.
struct StorageJSON: Encodable {
  private struct Item: Encodable {
    var id, source, title, state, path: String
    var bytes: Int64
  }

  private struct Orphan: Encodable {
    var path: String
    var bytes: Int64
  }

  private var items: [Item]
  private var orphans: [Orphan]
  private var bytes, reserved: Int64
  private var free: Int64?

  init(_ use: StorageUse) {
    items = use.items.map {
      Item(
        id: $0.id, source: $0.source, title: $0.title, state: $0.state, path: $0.path,
        bytes: $0.byteCount)
    }
    orphans = use.orphans.map { Orphan(path: $0.path, bytes: $0.byteCount) }
    (bytes, reserved, free) = (use.byteCount, use.reservedByteCount, use.freeByteCount)
  }
}
