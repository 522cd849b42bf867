import SiloDownloads
import Synchronization

/// `get --json`: one object a line on stdout, nothing else there.
final class JSONReport: GetReport {
  private struct ItemState {
    /// A third of a second: no second then holds more than four, with the last one always sent.
    var throttle = ProgressThrottle(every: .milliseconds(334))
    var held: DownloadProgress?
    var hasProgress = false
    var state: String?
    var warnings = ToldOnce()
  }

  private let output: TextSink
  private let errors: TextSink
  private let now: @Sendable () -> ContinuousClock.Instant
  private let items = Mutex([String: ItemState]())
  private let hasToldLoss = Mutex(false)

  /// A report to `output`; warnings of the run go to `errors`.
  init(
    output: TextSink, errors: TextSink,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
  ) {
    self.output = output
    self.errors = errors
    self.now = now
  }

  func event(_ event: DownloadEvent, of item: GetItem) {
    items.withLock { items in
      var state = items[item.id] ?? ItemState()
      for line in lines(event, of: item, &state) { print(line) }
      items[item.id] = state
    }
  }

  /// Prints a line; that nobody gets it any more is told once, on stderr.
  private func print(_ line: EventJSON) {
    output.line(JSONLine.text(line))
    guard let failure = output.failure else { return }
    let isNew = hasToldLoss.withLock { hasTold in
      defer { hasTold = true }
      return !hasTold
    }
    if isNew { warning("\(OutputLoss.warning(failure)); the downloads go on") }
  }

  private func lines(
    _ event: DownloadEvent, of item: GetItem, _ state: inout ItemState
  ) -> [EventJSON] {
    switch event {
    case .inspected(let inspection):
      let inventory = InventoryJSON(
        source: SourceName.full(item.source), inventory: inspection.inventory)
      return [
        .inventory(id: item.id, inventory),
        .selected(id: item.id, SelectionJSON(inspection.selection)),
      ]
        + inspection.allWarnings.filter { state.warnings.isNew($0) }
        .map { .warning(id: item.id, $0) }
    case .phase(let phase): return enter(phase.rawValue, item, &state)
    case .progress(let progress):
      guard state.throttle.passes(at: now()) else {
        state.held = progress
        return []
      }
      state.held = nil
      state.hasProgress = true
      return [.progress(id: item.id, progress)]
    case .placed: return []
    case .spaceNeeded(let shortage): return [.space(id: item.id, shortage)]
    case .overBudget(let proposal): return [.budget(id: item.id, proposal)]
    case .warning(let text):
      return state.warnings.isNew(text) ? [.warning(id: item.id, text)] : []
    case .skipped(let path, let reason):
      return [
        .skipped(id: item.id, path: path.pathText, reason: reason)
      ]
    }
  }

  private func enter(_ name: String, _ item: GetItem, _ state: inout ItemState) -> [EventJSON] {
    guard state.state != name else { return [] }
    state.state = name
    return [.state(id: item.id, name)]
  }

  func ended(_ outcome: GetOutcome, of item: GetItem) {
    items.withLock { items in
      var state = items[item.id] ?? ItemState()
      var lines: [EventJSON] = []
      switch outcome {
      case .finished(let download):
        let whole = DownloadProgress(bytes: download.byteCount, total: download.byteCount)
        if let last = state.held ?? (state.hasProgress ? nil : whole) {
          lines.append(.progress(id: item.id, last))
        }
        lines += enter("finished", item, &state) + [.finished(id: item.id, download)]
      case .failed(let failure):
        lines += enter(failure.code == .interrupted ? "paused" : "failed", item, &state)
        lines.append(.failed(id: item.id, source: SourceName.full(item.source), failure))
      case .withdrawn(let name): lines += enter(name, item, &state)
      case .skipped, .inspected: break
      }
      for line in lines { print(line) }
      items[item.id] = state
    }
  }

  func failing(_ text: String) { warning(text) }

  func warning(_ text: String) { errors.line("warning: \(text)") }

  func retrying(_ words: String) { errors.line("retrying \(words)") }

  func summary(finished: Int, skipped: Int, failed: Int) {
    print(.summary(finished: finished, skipped: skipped, failed: failed))
  }
}
