import Foundation
import SiloDownloads

/// `get`: items along the path, a few at once, everything told to a report.
struct GetCommand: Sendable {
  let options: GetOptions
  var items: [GetItem]
  /// Items that are skipped without a look.
  var skippedCount = 0
  /// Rows of a server that are registered already.
  var season: SeasonRows?
  let surroundings: Surroundings
  let report: any GetReport

  /// Reads the settings and sources of `invocation`.
  init(
    _ invocation: ArgumentReader.Invocation, settings: Settings, surroundings: Surroundings
  ) throws(UsageError) {
    try SourceCheck.requireNames(invocation.arguments, of: "get")
    var options = try GetOptions(settings)
    try HTTPOptions.checkFiles(settings, surroundings.fault)
    self.surroundings = surroundings
    let display = options.display
    report = Self.report(display, surroundings)
    if !display.isQuiet {
      let lines = RetryLines()
      options.http.retrying = { [report] in lines.words($0).map(report.retrying) }
    }
    options.request.claims = OutputClaims()
    self.options = options
    let list = try Self.list(options.sourceList, surroundings, command: "get")
    let sources = SourceList(arguments: invocation.arguments, list: list)
    sources.warnings.forEach(report.warning)
    items = sources.sources.enumerated().map { GetItem(id: "\($0 + 1)", source: $1) }
    if items.isEmpty, options.sourceList == nil {
      throw UsageError(
        "get needs SOURCE: a URL, silo:ID, or a local file, folder or .m3u8", command: "get")
    }
    if items.count > 1 { try Self.checkShared(options.request, command: "get") }
  }

  /// Who is told what happens.
  static func report(_ display: DisplayOptions, _ surroundings: Surroundings) -> any GetReport {
    display.isJSON
      ? JSONReport(output: surroundings.output, errors: surroundings.errors)
      : TextReport(
        output: surroundings.errors, terminal: surroundings.terminal(display.color),
        display: display)
  }

  /// The text of `--from-file`.
  static func list(
    _ path: String?, _ surroundings: Surroundings, command: String
  ) throws(UsageError) -> String? {
    guard let path else { return nil }
    do {
      return try surroundings.read(path, .list)
    } catch {
      throw UsageError("--from-file: '\(path)' cannot be read: \(error)", command: command)
    }
  }

  /// What cannot hold for several items at once.
  static func checkShared(
    _ request: DownloadRequest, command: String
  ) throws(UsageError) {
    if let output = request.output, !output.hasSuffix("/") {
      var isFolder: ObjCBool = false
      let exists = FileManager.default.fileExists(atPath: output, isDirectory: &isFolder)
      if !exists || !isFolder.boolValue {
        throw UsageError(
          "--output '\(output)' is one file for several sources; write '\(output)/' for a folder",
          command: command)
      }
    }
    if request.checksum != nil {
      throw UsageError("--checksum is that of one file; give one source with it", command: command)
    }
  }

  /// Runs every item; never throws: what went wrong is reported and becomes the exit code.
  func run() async -> ExitCode {
    if options.http.acceptsAnyCertificate {
      report.warning(
        "--insecure: certificates are not checked; anybody on the way can read and change bytes")
    }
    let clients = Clients(
      options.http, sources: items.map(\.source),
      server: surroundings.siloDownloader(
        options.http, pollPause: options.pollPause, season: season),
      make: surroundings.downloader)
    let queue = await surroundings.ownQueue()
    let work = await book(queue)
    queue.warnings().forEach(report.warning)
    var outcomes: [GetOutcome] = []
    await withTaskGroup(of: GetOutcome.self) { group in
      var waiting = work[...]
      for work in waiting.prefix(options.jobs) {
        group.addTask { await run(work, of: queue, with: clients.client(for: work.item.source)) }
      }
      waiting = waiting.dropFirst(options.jobs)
      while let outcome = await group.next() {
        outcomes.append(outcome)
        if let work = waiting.popFirst() {
          group.addTask { await run(work, of: queue, with: clients.client(for: work.item.source)) }
        }
      }
    }
    return summarise(outcomes)
  }

  /// An item and its row in the queue.
  private struct Work: Sendable {
    var item: GetItem
    var booking: DownloadQueue.Booking
  }

  /// Gives each item its row, and its id.
  private func book(_ queue: DownloadQueue) async -> [Work] {
    var bookings = items.map { _ in DownloadQueue.Booking() }
    if !options.isDryRun {
      let requests = items.map { item in
        var request = options.request
        request.source = item.source
        return request
      }
      bookings = await queue.book(requests, headers: options.http.userHeaders.map(\.name))
    }
    let hasIDs = bookings.contains { $0.id != nil }
    return zip(items, bookings).map { item, booking in
      var item = item
      // Without a row it must not be taken for another that has one.
      item.id = booking.id ?? (hasIDs ? "-\(item.id)" : item.id)
      return Work(item: item, booking: booking)
    }
  }

  private func summarise(_ outcomes: [GetOutcome]) -> ExitCode {
    var (finished, skipped, inspected) = (0, skippedCount, 0)
    var failures: [ExitCode] = []
    for outcome in outcomes {
      switch outcome {
      case .finished: finished += 1
      case .skipped: skipped += 1
      case .inspected, .withdrawn: inspected += 1
      case .failed(let failure): failures.append(ExitCode(failure.code))
      }
    }
    report.summary(finished: finished, skipped: skipped, failed: failures.count)
    if failures.contains(.interrupted) { return .interrupted }
    return ExitCode(succeeded: finished + skipped + inspected, failures: failures)
  }

  private func run(
    _ work: Work, of queue: DownloadQueue, with downloader: any Downloading
  ) async -> GetOutcome {
    let item = work.item
    let outcome: GetOutcome
    do {
      try Task.checkCancellation()
      outcome = try await fetch(work, of: queue, with: downloader)
    } catch {
      outcome = .failed(Failure(error))
    }
    report.ended(outcome, of: item)
    if case .finished(let download) = outcome {
      await Self.complete(download, item, options.completionCommand, surroundings, report)
    }
    return outcome
  }

  private func fetch(
    _ work: Work, of queue: DownloadQueue, with downloader: any Downloading
  ) async throws -> GetOutcome {
    let item = work.item
    var request = options.request
    request.source = item.source
    (request.itemID, request.owner) = (work.booking.id, queue.owner)
    if options.isDryRun {
      let inspection = try await downloader.inspect(request)
      report.event(.inspected(inspection), of: item)
      if let proposal = Admission.proposal(inspection, request) {
        report.event(.overBudget(proposal), of: item)
      }
      try Admission.check(inspection, request)
      return .inspected
    }
    let outcome = await queue.carryOut(work.booking) { [report, request] events in
      try await downloader.run(request) { event in
        TextOfTheLook.letGo(at: event)
        events(event)
        report.event(event, of: item)
      }
    }
    switch outcome {
    case .finished(let download): return .finished(download)
    case .skipped: return .skipped
    case .failed(let error), .postponed(let error, _): throw error
    case .withdrawn(let state):
      throw DownloadError(
        .interrupted,
        "it was \(state?.rawValue ?? "removed") by another process; the same command goes on from here"
      )
    }
  }

  /// Runs the hook of a finished item; that it fails is a warning.
  static func complete(
    _ download: FinishedDownload, _ item: GetItem, _ command: String?,
    _ surroundings: Surroundings, _ report: any GetReport
  ) async {
    guard let command else { return }
    do {
      let status = try await CompletionHook(command).run(
        download, item, environment: surroundings.environment)
      if status != 0 { report.failing("--on-complete ended with status \(status)") }
    } catch {
      report.failing("--on-complete could not be started: \(error)")
    }
  }
}
