import SiloDownloads
import SiloMedia
import SiloSystem

/// The queue for people: one row each; what is finished is one number.
struct QueueTable {
  let items: [QueueItem]
  let terminal: Terminal

  /// The lines of the table; one that says so when there is nothing.
  var lines: [String] {
    let open = items.filter { $0.state != .finished }
    let finished = items.count - open.count
    let rest = finished > 0 ? ["\(finished) finished; `library` lists them"] : []
    guard !open.isEmpty else { return rest.isEmpty ? ["The queue is empty."] : rest }
    let table = RowTable.lines(["ID", "STATE", "BYTES", "TITLE"], open.map(cells), terminal)
    let rows = zip(table.dropFirst(), open).flatMap { [$0] + reasons($1) }
    return table.prefix(1) + rows + rest
  }

  private func cells(_ item: QueueItem) -> [String] {
    let bytes: String
    switch (item.byteCount, item.expectedByteCount) {
    case (0, nil): bytes = "-"
    case (let count, nil): bytes = ByteCount.text(count)
    case (let count, let total?):
      bytes = "\(ByteCount.text(count)) of \(ByteCount.text(total))"
    }
    return [
      item.id, item.state.rawValue, bytes,
      Columns.cut(Redaction.printable(item.title), to: 60),
    ]
  }

  private func reasons(_ item: QueueItem) -> [String] {
    var lines: [String] = []
    if let failure = item.failure {
      let style: Terminal.Style = item.state == .failed ? .red : .yellow
      lines.append("    " + terminal.styled(Redaction.printable(failure.message), style))
    }
    if !item.needs.isEmpty {
      lines.append("    needs \(Redaction.printable(item.needs.joined(separator: ", ")))")
    }
    return lines
  }
}
