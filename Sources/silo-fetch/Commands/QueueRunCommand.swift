import SiloDownloads
import SiloSystem
import Synchronization

/// `queue run`: what waits is downloaded, everything told to a report.
struct QueueRunCommand: Sendable {
  private let command: QueueCommand
  private let report: any GetReport
  private let http: HTTPOptions

  private struct Tally {
    var (finished, skipped) = (0, 0)
    var failures: [ExitCode] = []
  }

  /// The run that `command` asks for.
  init(_ command: QueueCommand) {
    self.command = command
    let report = GetCommand.report(command.options.display, command.surroundings)
    self.report = report
    var http = command.options.http
    if !command.options.display.isQuiet {
      let lines = RetryLines()
      http.retrying = { lines.words($0).map(report.retrying) }
    }
    self.http = http
  }

  /// Runs to the end; the exit code as of `get`.
  func run(_ queue: DownloadQueue) async throws -> ExitCode {
    let options = command.options
    let clients = OriginClients(
      http, server: command.surroundings.siloDownloader(http, pollPause: options.pollPause),
      make: command.surroundings.downloader
    )
    let tally = Mutex(Tally())
    var run = DownloadQueue.Run { [report] item, request, events in
      var request = request
      request.whenDiskIsFull = options.request.whenDiskIsFull
      let place = GetItem(id: item.id, source: item.source, name: item.title)
      report.event(.phase(.preparing), of: place)
      return try await clients.client(for: request.source).run(request) { event in
        TextOfTheLook.letGo(at: event)
        events(event)
        report.event(event, of: place)
      }
    } ended: { item, outcome in
      await end(item, outcome) { change in tally.withLock { change(&$0) } }
    }
    if !command.ids.isEmpty {
      run.ids = Set(command.ids)
      for id in command.ids where try await queue.item(id) == nil {
        throw DownloadError(.notFound, "There is no such item.", subject: Redaction.printable(id))
      }
    }
    run.suppliesNeeds = !command.ids.isEmpty
    run.limit = command.options.chosenJobs
    try await queue.run(run)
    try await tellNeeds(queue)
    let result = tally.withLock { $0 }
    report.summary(
      finished: result.finished, skipped: result.skipped, failed: result.failures.count)
    if Task.isCancelled { return .interrupted }
    return ExitCode(succeeded: result.finished + result.skipped, failures: result.failures)
  }

  private func end(
    _ item: QueueItem, _ outcome: ItemOutcome, _ count: ((inout Tally) -> Void) -> Void
  ) async {
    let place = GetItem(id: item.id, source: item.source, name: item.title)
    switch outcome {
    case .finished(let download):
      count { $0.finished += 1 }
      report.ended(.finished(download), of: place)
      await GetCommand.complete(
        download, place, command.options.completionCommand, command.surroundings, report)
    case .skipped:
      count { $0.skipped += 1 }
      report.ended(.skipped, of: place)
    case .failed(let error):
      let failure = Failure(error)
      count { $0.failures.append(ExitCode(failure.code)) }
      report.ended(.failed(failure), of: place)
    case .postponed(let error, let pause):
      report.event(
        .warning("\(Failure(error).message) It is tried again in \(Int(pause.seconds)) s."),
        of: place)
      report.event(.phase(.waiting), of: place)
    case .withdrawn(let state):
      report.ended(.withdrawn(state?.rawValue ?? "removed"), of: place)
    }
  }

  private func tellNeeds(_ queue: DownloadQueue) async throws {
    guard !Task.isCancelled else { return }
    for item in try await queue.items()
    where item.state == .waiting && item.owner != nil && queue.owner == nil {
      report.warning(
        "item \(item.id) waits for its account: sign in with silo-fetch login URL and \(DownloadError.waysToSignIn)"
      )
    }
    guard command.ids.isEmpty else { return }
    for item in try await queue.items() where item.state == .waiting && !item.needs.isEmpty {
      report.warning(
        "item \(item.id) needs \(item.needs.joined(separator: ", "))"
          + (item.canBeGivenNeeds ? ": queue run \(item.id) with it" : ""))
    }
  }
}

/// Downloaders made when they are needed: one for each origin where credentials could be mixed, else one.
final class OriginClients: Sendable {
  private let options: HTTPOptions
  private let server: (any Downloading)?
  private let make: @Sendable (HTTPOptions) -> any Downloading
  private let made = Mutex<[String: any Downloading]>([:])

  /// Downloaders that make their requests as `options` says.
  ///
  /// - Parameter server: For items of the server that is signed in to.
  init(
    _ options: HTTPOptions, server: (any Downloading)? = nil,
    make: @escaping @Sendable (HTTPOptions) -> any Downloading
  ) {
    self.options = options
    self.server = server
    self.make = make
  }

  /// The downloader for `source`.
  func client(for source: String) -> any Downloading {
    if let server, Clients.isOfServer(source) { return server }
    let hasSecrets =
      !options.userHeaders.isEmpty || options.usesNetrc || options.netrcFile != nil
    let origin = hasSecrets ? Clients.origin(source) ?? "" : ""
    return made.withLock { made in
      if let client = made[origin] { return client }
      var options = options
      // Of a local source no request may carry the headers anywhere.
      if origin.isEmpty { options.userHeaders = [] }
      let sources = origin.isEmpty ? [] : [origin]
      let client = Clients(options, sources: sources, make: make).client(for: origin)
      made[origin] = client
      return client
    }
  }
}
