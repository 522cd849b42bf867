import SiloDownloads
import SiloSystem

/// `queue`: lists, changes and runs what was added.
struct QueueCommand: Sendable {
  /// What is done.
  enum Action: String, CaseIterable {
    case list, run, pause, resume, cancel, retry, remove, limit
  }

  let action: Action
  let ids: [String]
  /// The items that are meant without ids.
  let states: [ItemState]
  let options: GetOptions
  let surroundings: Surroundings

  /// The states that an option names all items of.
  private static let states: [ItemState] = [.failed, .cancelled, .finished]

  /// Whether `invocation` runs items, whose events it writes.
  static func isRun(_ invocation: ArgumentReader.Invocation) -> Bool {
    invocation.command == "queue" && invocation.arguments.first == "run"
  }

  /// Reads the settings and the action of `invocation`.
  init(
    _ invocation: ArgumentReader.Invocation, settings: Settings, surroundings: Surroundings
  ) throws(UsageError) {
    let word = invocation.arguments.first ?? "list"
    guard let action = Action(rawValue: word) else {
      let names = Action.allCases.map(\.rawValue)
      let nearest = NearestName.of(word, among: names).map { "; did you mean '\($0)'?" } ?? ""
      throw UsageError("queue has no '\(Redaction.printable(word))'\(nearest)", command: "queue")
    }
    self.action = action
    ids = Array(invocation.arguments.dropFirst())
    // Of the command line alone: no other place may say what is removed.
    states = Self.states.filter { state in
      invocation.options.last { $0.name == state.rawValue }?.value == "true"
    }
    options = try GetOptions(settings)
    try HTTPOptions.checkFiles(settings, surroundings.fault)
    self.surroundings = surroundings
    try check(invocation)
  }

  private func check(_ invocation: ArgumentReader.Invocation) throws(UsageError) {
    let display = Set(CommandOption.display.map(\.name))
    for given in invocation.options where !display.contains(given.name) {
      let owners: [Action] =
        switch given.name {
        case "failed": [.retry, .remove]
        case "cancelled", "finished": [.remove]
        default: [.run]
        }
      guard !owners.contains(action) else { continue }
      let names = owners.map(\.rawValue).joined(separator: " and ")
      throw UsageError("--\(given.name) is an option of queue \(names)", command: "queue")
    }
    switch action {
    case .list where !ids.isEmpty:
      throw UsageError("queue lists all items; it takes no id", command: "queue")
    case .remove where ids.isEmpty == states.isEmpty:
      throw UsageError(
        "queue remove needs ID, or --failed, --cancelled or --finished and none", command: "queue")
    case .pause, .resume, .cancel:
      if ids.isEmpty { throw UsageError("queue \(action.rawValue) needs ID", command: "queue") }
    case .retry where ids.isEmpty == states.isEmpty:
      throw UsageError("queue retry needs ID, or --failed and none", command: "queue")
    case .limit where ids.count > 1:
      throw UsageError("queue limit takes one number", command: "queue")
    case .run where ids.isEmpty && !options.http.userHeaders.isEmpty:
      throw UsageError(
        "--header goes to the items that are named, since others may be of other servers: queue run ID... --header",
        command: "queue")
    default: break
    }
  }

  /// Does it; never throws.
  func run() async -> ExitCode {
    let queue = await surroundings.ownQueue()
    do {
      let code = try await obey(queue)
      tell(queue.warnings())
      return code
    } catch {
      tell(queue.warnings())
      return CommandFailure.tell(error, options.display, surroundings)
    }
  }

  private func tell(_ warnings: [String]) {
    for warning in warnings { surroundings.errors.line("warning: \(warning)") }
  }

  private func obey(_ queue: DownloadQueue) async throws -> ExitCode {
    switch action {
    case .list: show(try await queue.items())
    case .run: return try await QueueRunCommand(self).run(queue)
    case .pause: show(try await queue.pause(ids))
    case .resume: show(try await queue.resume(ids))
    case .cancel:
      show(try await queue.cancel(ids))
      await surroundings.tellServer(options.http)
    case .remove:
      if !ids.isEmpty { show(try await queue.remove(ids), "removed") }
      for state in states { show(try await queue.removeAll(state), "removed") }
      await surroundings.tellServer(options.http)
    case .retry:
      show(try await !states.isEmpty ? queue.retryFailed() : queue.retry(ids))
    case .limit: try await limit(queue)
    }
    return .success
  }

  private func limit(_ queue: DownloadQueue) async throws {
    if let text = ids.first {
      guard let limit = Int(text), 1...DownloadQueue.highestLimit ~= limit else {
        throw UsageError(
          "queue limit: '\(Redaction.printable(text))' should be a whole number from 1 to \(DownloadQueue.highestLimit)",
          command: "queue")
      }
      try await queue.setLimit(limit)
    }
    let limit = try await queue.limit()
    surroundings.output.line(options.display.isJSON ? #"{"limit":\#(limit)}"# : "\(limit)")
  }

  private func show(_ items: [QueueItem]) {
    if options.display.isJSON {
      surroundings.output.write(items.map { QueueItemText.json($0) + "\n" }.joined())
      return
    }
    let terminal = surroundings.outputTerminal(options.display.color)
    let table = QueueTable(items: items, terminal: terminal)
    surroundings.output.write(table.lines.map { $0 + "\n" }.joined())
  }

  private func show(_ changes: [DownloadQueue.Change], _ word: String? = nil) {
    for change in changes {
      if options.display.isJSON {
        surroundings.output.line(QueueItemText.json(change.item))
      } else if !options.display.isQuiet {
        let title = Redaction.printable(change.item.title)
        surroundings.output.line(
          "\(change.item.id)  \(title): \(word ?? change.item.state.rawValue)")
      }
    }
  }
}
