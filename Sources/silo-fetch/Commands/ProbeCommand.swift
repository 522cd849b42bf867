import SiloDownloads
import SiloMedia
import SiloSystem

/// `probe`: the inventory of one source and what the wishes would choose of it.
struct ProbeCommand: Sendable {
  let request: DownloadRequest
  let http: HTTPOptions
  let display: DisplayOptions
  let surroundings: Surroundings

  /// Reads the settings and the source of `invocation`.
  init(
    _ invocation: ArgumentReader.Invocation, settings: Settings, surroundings: Surroundings
  ) throws(UsageError) {
    try SourceCheck.requireNames(invocation.arguments, of: "probe")
    var request = DownloadRequest(
      source: invocation.arguments.first ?? "", wishes: try TrackWishes(settings))
    request.maximumSize = try GetOptions.maximumSize(settings)
    self.request = request
    let http = try HTTPOptions(settings)
    try HTTPOptions.checkFiles(settings, surroundings.fault)
    display = try DisplayOptions(settings)
    self.surroundings = surroundings
    self.http = RetryLines.telling(http, display, surroundings)
  }

  /// Prints the inventory; never throws: a failure is printed and becomes the exit code.
  func run() async -> ExitCode {
    var isShown = false
    do {
      let clients = Clients(
        http, sources: [request.source], server: surroundings.siloDownloader(http),
        make: surroundings.downloader)
      // What is missing is judged after the inventory was shown.
      var lenient = request
      lenient.wishes.requiresAudio = false
      let inspection = try await clients.client(for: request.source).inspect(lenient)
      show(inspection)
      isShown = true
      if let proposal = Admission.proposal(inspection, request) {
        for line in BudgetTable(proposal: proposal).lines { surroundings.errors.line(line) }
      }
      try Admission.check(inspection, request)
      return .success
    } catch {
      return fail(Failure(error), isShown: isShown)
    }
  }

  private func show(_ inspection: Inspection) {
    if display.isJSON {
      let source = SourceName.full(request.source)
      surroundings.output.line(JSONLine.text(ProbeJSON(source: source, inspection: inspection)))
    } else {
      let table = TrackTable(
        inventory: inspection.inventory, selection: inspection.selection,
        terminal: surroundings.outputTerminal(display.color), showsReasons: display.isVerbose,
        beside: inspection.subtitlesBeside)
      surroundings.output.write(table.lines.map { $0 + "\n" }.joined())
    }
    if display.isQuiet { return }
    let terminal = surroundings.terminal(display.color)
    for warning in inspection.allWarnings {
      surroundings.errors.line(
        "\(terminal.styled("warning", .yellow)): \(Redaction.printable(warning))")
    }
  }

  private func fail(_ failure: Failure, isShown: Bool) -> ExitCode {
    // One object is promised: after the inventory the exit code and stderr tell the rest.
    if display.isJSON, !isShown {
      let source = SourceName.full(request.source)
      surroundings.output.line(
        JSONLine.text(EventJSON.failed(id: nil, source: source, failure)))
    }
    let terminal = surroundings.terminal(display.color)
    surroundings.errors.line(
      "\(terminal.styled("error", .red)): \(Redaction.printable(failure.message))")
    return ExitCode(failure.code)
  }
}
