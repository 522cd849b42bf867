import SiloDownloads
import SiloMedia
import SiloSystem
import Synchronization

/// `get` for people: everything on stderr; progress lines on a terminal, else one line per state change.
final class TextReport: GetReport {
  private struct State {
    var running: [(item: GetItem, line: ProgressLine, throttle: ProgressThrottle)] = []
    var warnings: [GetItem: ToldOnce] = [:]
    var drawnLines = 0
    var redraw = ProgressThrottle(every: .milliseconds(100))
  }

  private let output: TextSink
  private let terminal: Terminal
  private let display: DisplayOptions
  private let now: @Sendable () -> ContinuousClock.Instant
  private let state = Mutex(State())

  /// A report to `output`, which `terminal` describes.
  init(
    output: TextSink, terminal: Terminal, display: DisplayOptions,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
  ) {
    self.output = output
    self.terminal = terminal
    self.display = display
    self.now = now
  }

  private var drawsLines: Bool {
    terminal.isInteractive && display.showsProgress && !display.isQuiet
  }

  func event(_ event: DownloadEvent, of item: GetItem) {
    state.withLock { state in
      switch event {
      case .inspected(let inspection): print(describe(inspection, item, &state), &state)
      case .phase(let phase): enter(phase, item, &state)
      case .placed: break
      case .progress(let progress): move(progress, item, &state)
      case .overBudget(let proposal):
        print(BudgetTable(proposal: proposal).lines, &state, isError: true)
      case .spaceNeeded(let shortage):
        print([warningLine(SpaceText.text(shortage), item)], &state)
      case .warning(let text): print(warningLines([text], item, &state), &state)
      case .skipped(let path, let reason):
        let path = Redaction.printable(path.pathText)
        print(["\(title(item)): skipped, \(Redaction.printable(reason)): \(path)"], &state)
      }
    }
  }

  func ended(_ outcome: GetOutcome, of item: GetItem) {
    state.withLock { state in
      state.running.removeAll { $0.item == item }
      switch outcome {
      case .finished(let download): print([finishedLine(download, item)], &state)
      case .failed(let failure):
        let word = failure.code == .interrupted ? "stopped" : "error"
        let style: Terminal.Style = failure.code == .interrupted ? .yellow : .red
        let line =
          "\(terminal.styled(word, style)): \(title(item)): \(Redaction.printable(failure.message))"
        print([line], &state, isError: true)
      case .withdrawn(let name): print(["\(title(item)): \(name)"], &state)
      case .skipped, .inspected: redraw(&state, always: true)
      }
    }
  }

  func warning(_ text: String) {
    state.withLock { print([warningLine(text, nil)], &$0) }
  }

  func failing(_ text: String) {
    state.withLock { print([warningLine(text, nil)], &$0, isError: true) }
  }

  func retrying(_ words: String) {
    state.withLock { print(["\(terminal.styled("retrying", .yellow)) \(words)"], &$0) }
  }

  func summary(finished: Int, skipped: Int, failed: Int) {
    state.withLock { state in
      guard finished + skipped + failed > 1 else { return }
      print(["\(finished) finished, \(skipped) skipped, \(failed) failed"], &state)
    }
  }
}

extension TextReport {
  private func title(_ item: GetItem) -> String {
    item.name.map { Redaction.printable($0) } ?? SourceName.short(item.source)
  }

  private func describe(
    _ inspection: Inspection, _ item: GetItem, _ state: inout State
  ) -> [String] {
    let table = TrackTable(
      inventory: inspection.inventory, selection: inspection.selection, terminal: terminal,
      showsReasons: display.isVerbose)
    return ["\(title(item)): \(table.lines.first ?? "")"] + table.lines.dropFirst()
      + warningLines(inspection.allWarnings, item, &state)
  }

  private func warningLines(
    _ texts: [String], _ item: GetItem, _ state: inout State
  ) -> [String] {
    texts.filter { state.warnings[item, default: ToldOnce()].isNew($0) }
      .map { warningLine($0, item) }
  }

  private func warningLine(_ text: String, _ item: GetItem?) -> String {
    let name = item.map { title($0) + ": " } ?? ""
    return "\(terminal.styled("warning", .yellow)): \(name)\(Redaction.printable(text))"
  }

  private func finishedLine(_ download: FinishedDownload, _ item: GetItem) -> String {
    let path = Redaction.printable(download.path.pathText)
    // The one that plays first comes first, wherever it lies in the file.
    let tracks = download.inventory.audio
    let audio = (tracks.filter(\.isDefault) + tracks.filter { !$0.isDefault }).map { track in
      (track.language?.description ?? "und") + (track.isDefault ? " (default)" : "")
    }
    let languages = audio.isEmpty ? "" : ", audio \(audio.joined(separator: ", "))"
    let verified =
      download.verified.isEmpty ? "" : ", verified: \(download.verified.joined(separator: ", "))"
    let count = download.sideFiles.count
    let beside = count == 0 ? "" : ", \(count) \(count == 1 ? "file" : "files") beside it"
    return "\(terminal.styled("finished", .green)): \(path), \(ByteCount.text(download.byteCount))"
      + languages + verified + beside
  }

  private func enter(_ phase: DownloadPhase, _ item: GetItem, _ state: inout State) {
    // How it ended is said by `ended`, with the reason.
    if phase == .finished || phase == .failed || phase == .paused { return }
    if let index = state.running.firstIndex(where: { $0.item == item }) {
      if state.running[index].line.phase == phase { return }
      state.running[index].line.phase = phase
    } else {
      let line = ProgressLine(name: title(item), phase: phase)
      state.running.append((item, line, ProgressThrottle(every: .seconds(30))))
    }
    if drawsLines {
      redraw(&state, always: true)
    } else {
      print(["\(title(item)): \(phase.rawValue)"], &state)
    }
  }

  private func move(_ progress: DownloadProgress, _ item: GetItem, _ state: inout State) {
    guard let index = state.running.firstIndex(where: { $0.item == item }) else { return }
    state.running[index].line.progress = progress
    if drawsLines { return redraw(&state, always: false) }
    guard display.showsProgress else { return }
    // The first one after 30 s: a short download says nothing between its states.
    state.running[index].throttle.start(at: now())
    guard state.running[index].throttle.passes(at: now()) else { return }
    print([state.running[index].line.text(width: 200)], &state)
  }

  private func print(_ lines: [String], _ state: inout State, isError: Bool = false) {
    if display.isQuiet, !isError { return }
    output.write(erasure(&state) + lines.map { $0 + "\n" }.joined())
    redraw(&state, always: true)
  }

  private func redraw(_ state: inout State, always: Bool) {
    guard drawsLines else { return }
    let passes = state.redraw.passes(at: now())
    guard always || passes else { return }
    let width = max(20, terminal.width() - 1)
    let erasure = erasure(&state)
    let lines = state.running.map { $0.line.text(width: width) + "\n" }
    state.drawnLines = lines.count
    if erasure.isEmpty, lines.isEmpty { return }
    output.write(erasure + lines.joined())
  }

  /// Moves to the first progress line and clears from there.
  private func erasure(_ state: inout State) -> String {
    defer { state.drawnLines = 0 }
    return state.drawnLines == 0 ? "" : "\u{1b}[\(state.drawnLines)A\r\u{1b}[J"
  }
}
