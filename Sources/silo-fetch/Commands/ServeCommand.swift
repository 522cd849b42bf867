import SiloDownloads
import SiloServer
import SiloSystem

/// `serve`: a folder of media over HTTP until it is told to stop.
struct ServeCommand: Sendable {
  let options: ServeOptions
  let isJSON: Bool
  let surroundings: Surroundings

  /// Reads the settings and the folder of `invocation`.
  init(
    _ invocation: ArgumentReader.Invocation, settings: Settings, surroundings: Surroundings
  ) throws(UsageError) {
    try SourceCheck.requireNames(invocation.arguments, of: "serve")
    let listen: (String, UInt16) =
      try settings.value(
        "listen", should: "HOST:PORT, such as 127.0.0.1:8080 or [::1]:0", ServeOptions.listen)
      ?? ("127.0.0.1", 8080)
    let display = try DisplayOptions(settings)
    let isJSON = display.isJSON
    options = ServeOptions(
      folder: invocation.arguments.first ?? ".", host: listen.0, port: listen.1,
      log: display.isVerbose ? Self.log(surroundings, isJSON: isJSON) : nil)
    self.isJSON = isJSON
    self.surroundings = surroundings
  }

  private static func log(
    _ surroundings: Surroundings, isJSON: Bool
  ) -> @Sendable (RequestRecord) -> Void {
    { record in
      if isJSON {
        surroundings.output.line(JSONLine.text(RequestJSON(record)))
      } else {
        let range = record.range.map { " [\($0)]" } ?? ""
        let text = "\(record.method) \(record.path)\(range) \(record.status) \(record.byteCount)"
        surroundings.errors.line(Redaction.printable(text))
      }
    }
  }

  /// Serves until the task is cancelled; then stops gracefully.
  func run(onHangUp: (@escaping @Sendable () -> Void) -> Void) async -> ExitCode {
    let server: any ServingMedia
    do {
      server = try await surroundings.server(options)
    } catch {
      return fail(Failure(error))
    }
    onHangUp { Task { await server.rescan() } }
    surroundings.output.line(
      isJSON
        ? JSONLine.text(["event": "listening", "url": server.address])
        : "listening on \(server.address)")
    // Nothing to do here until the signal comes: the server has its own threads.
    while !Task.isCancelled { try? await Task.sleep(for: .seconds(86_400)) }
    await server.stop()
    return .success
  }

  private func fail(_ failure: Failure) -> ExitCode {
    if isJSON {
      surroundings.output.line(JSONLine.text(EventJSON.failed(id: nil, source: nil, failure)))
    }
    surroundings.errors.line("error: \(Redaction.printable(failure.message))")
    return ExitCode(failure.code)
  }
}
