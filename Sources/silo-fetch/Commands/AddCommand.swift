import SiloDownloads
import SiloSystem

/// `add`: wishes into the queue, without asking anybody.
struct AddCommand: Sendable {
  let requests: [DownloadRequest]
  let headers: [String]
  let display: DisplayOptions
  let surroundings: Surroundings

  /// Reads the settings and sources of `invocation`.
  init(
    _ invocation: ArgumentReader.Invocation, settings: Settings, surroundings: Surroundings
  ) throws(UsageError) {
    try SourceCheck.requireNames(invocation.arguments, of: "add")
    let options = try GetOptions(settings)
    let list = try GetCommand.list(options.sourceList, surroundings, command: "add")
    let sources = SourceList(arguments: invocation.arguments, list: list)
    if sources.sources.isEmpty, options.sourceList == nil {
      throw UsageError(
        "add needs SOURCE: a URL, silo:ID, or a local file, folder or .m3u8", command: "add")
    }
    if sources.sources.count > 1 {
      try GetCommand.checkShared(options.request, command: "add")
    }
    requests = sources.sources.map { source in
      var request = options.request
      request.source = source
      return request
    }
    headers = options.http.userHeaders.map(\.name)
    display = options.display
    self.surroundings = surroundings
    if display.isQuiet { return }
    for warning in sources.warnings { surroundings.errors.line("warning: \(warning)") }
  }

  /// Adds; never throws.
  func run() async -> ExitCode {
    let queue = await surroundings.ownQueue()
    do {
      let added = try await queue.add(requests, headers: headers)
      for addition in added { show(addition) }
      queue.warnings().forEach { surroundings.errors.line("warning: \($0)") }
      return .success
    } catch {
      return CommandFailure.tell(error, display, surroundings)
    }
  }

  private func show(_ addition: DownloadQueue.Addition) {
    let item = addition.item
    if display.isJSON {
      surroundings.output.line(QueueItemText.json(item))
    } else if !display.isQuiet {
      let words = Self.words(addition.effect)
      surroundings.output.line("\(item.id)  \(Redaction.printable(item.title)): \(words)")
    }
    if !item.needs.isEmpty, !display.isQuiet {
      surroundings.errors.line(
        "warning: item \(item.id) needs \(item.needs.joined(separator: ", ")), which is not kept: give it to `queue run \(item.id)`, or get it now with `get`"
      )
    }
  }
  private static func words(_ effect: DownloadQueue.Effect) -> String {
    switch effect {
    case .added: "added"
    case .known: "in the queue already"
    case .changed: "in the queue already; what is wanted of it is new"
    case .again: "waits again"
    case .running: "runs already, as it was wanted then"
    case .finished: "finished already; --overwrite fetches it again"
    case .finishedOtherwise:
      "finished already with another choice, which is kept; --overwrite replaces it"
    }
  }
}
