import SiloDownloads
import SiloMedia

/// One line of `get --json`.
enum EventJSON: Encodable {
  case inventory(id: String, InventoryJSON)
  case selected(id: String, SelectionJSON)
  case state(id: String, String)
  case progress(id: String, DownloadProgress)
  case finished(id: String, FinishedDownload)
  case skipped(id: String, path: String, reason: String)
  case failed(id: String?, source: String?, Failure)
  case budget(id: String, BudgetProposal)
  case space(id: String, SpaceShortage)
  case warning(id: String, String)
  case summary(finished: Int, skipped: Int, failed: Int)

  private enum CodingKeys: String, CodingKey {
    case event, id, source, state, bytes, total
    case bytesPerSecond = "bytes_per_second"
    case eta, path, sha256, audio, subtitles, verified, reason, code, message, retryable, finished
    case sideFiles = "side_files"
    case skipped, failed, limit, rows, needed, available
  }

  private struct Row: Encodable {
    var audio: [String]
    var bytes: Int64?
    var fits: Bool
  }

  private var name: String {
    switch self {
    case .inventory: "inventory"
    case .selected: "selected"
    case .state: "state"
    case .progress: "progress"
    case .finished: "finished"
    case .skipped: "skipped"
    case .failed: "failed"
    case .budget: "budget"
    case .space: "space"
    case .warning: "warning"
    case .summary: "summary"
    }
  }

  private var id: String? {
    switch self {
    case .inventory(let id, _), .selected(let id, _), .state(let id, _), .progress(let id, _),
      .finished(let id, _), .skipped(let id, _, _), .warning(let id, _), .budget(let id, _),
      .space(let id, _):
      id
    case .failed(let id, _, _): id
    case .summary: nil
    }
  }

  func encode(to encoder: any Encoder) throws {
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(name, forKey: .event)
    try keys.encodeIfPresent(id, forKey: .id)
    switch self {
    case .inventory(_, let inventory): try inventory.encode(to: encoder)
    case .selected(_, let selection): try selection.encode(to: encoder)
    case .state(_, let state): try keys.encode(state, forKey: .state)
    case .progress(_, let progress):
      try keys.encode(progress.bytes, forKey: .bytes)
      try keys.encodeIfPresent(progress.total, forKey: .total)
      try keys.encodeIfPresent(progress.bytesPerSecond?.rounded(), forKey: .bytesPerSecond)
      let eta = progress.remaining.map { (JSONLine.seconds($0) * 10).rounded() / 10 }
      try keys.encodeIfPresent(eta, forKey: .eta)
    case .finished(_, let download): try Self.encode(download, &keys)
    case .skipped(_, let path, let reason):
      try keys.encode(path, forKey: .path)
      try keys.encode(reason, forKey: .reason)
    case .failed(_, let source, let failure):
      try keys.encodeIfPresent(source, forKey: .source)
      try keys.encode(failure.code.description, forKey: .code)
      try keys.encode(failure.message, forKey: .message)
      try keys.encode(failure.isWorthRetrying, forKey: .retryable)
    case .budget(_, let proposal):
      try keys.encode(proposal.limit, forKey: .limit)
      let rows = proposal.rows.map {
        Row(audio: $0.audio.map(\.description), bytes: $0.size.byteCount, fits: $0.fits)
      }
      try keys.encode(rows, forKey: .rows)
    case .space(_, let shortage):
      try keys.encode(shortage.message, forKey: .message)
      try keys.encodeIfPresent(shortage.neededByteCount, forKey: .needed)
      try keys.encodeIfPresent(shortage.availableByteCount, forKey: .available)
    case .warning(_, let message): try keys.encode(message, forKey: .message)
    case .summary(let finished, let skipped, let failed):
      try keys.encode(finished, forKey: .finished)
      try keys.encode(skipped, forKey: .skipped)
      try keys.encode(failed, forKey: .failed)
    }
  }

  private static func encode(
    _ download: FinishedDownload, _ keys: inout KeyedEncodingContainer<CodingKeys>
  ) throws {
    try keys.encode(download.path.pathText, forKey: .path)
    try keys.encode(download.byteCount, forKey: .bytes)
    try keys.encode(download.sha256, forKey: .sha256)
    try keys.encode(download.inventory.audio.map(AudioJSON.init), forKey: .audio)
    try keys.encode(download.inventory.subtitles.map { SubtitleJSON($0) }, forKey: .subtitles)
    try keys.encode(download.verified, forKey: .verified)
    try keys.encode(download.sideFiles.map(\.pathText), forKey: .sideFiles)
  }
}
