import SiloDownloads
import SiloSystem

/// A running server, as far as `serve` needs it.
protocol ServingMedia: Sendable {
  /// Where it answers, once it does.
  var address: String { get }
  /// Looks at the folder again.
  func rescan() async
  /// Stops after the running requests.
  func stop() async
}

/// What `serve` starts.
struct ServeOptions: Sendable {
  /// The folder of media.
  var folder: String
  /// The name or address to listen on.
  var host: String
  /// The port; 0 takes a free one.
  var port: UInt16
  /// Called with one line per request; `nil` when nobody wants them.
  var requestLine: (@Sendable (String) -> Void)?

  /// Reads `HOST:PORT`, `[ADDRESS]:PORT`.
  static func listen(_ text: String) -> (host: String, port: UInt16)? {
    guard let colon = text.lastIndex(of: ":"),
      let port = UInt16(text[text.index(after: colon)...])
    else { return nil }
    var host = String(text[..<colon])
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = String(host.dropFirst().dropLast())
    } else if host.contains(":") {
      return nil
    }
    return host.isEmpty ? nil : (host, port)
  }
}

/// `serve`: a folder of media over HTTP until it is told to stop.
struct ServeCommand: Sendable {
  let options: ServeOptions
  let isJSON: Bool
  let surroundings: Surroundings

  /// Reads the settings and the folder of `invocation`.
  init(
    _ invocation: ArgumentReader.Invocation, settings: Settings, surroundings: Surroundings
  ) throws(UsageError) {
    let listen: (String, UInt16) =
      try settings.value(
        "listen", should: "HOST:PORT, such as 127.0.0.1:8080 or [::1]:0", ServeOptions.listen)
      ?? ("127.0.0.1", 8080)
    let display = try DisplayOptions(settings)
    let isJSON = display.isJSON
    options = ServeOptions(
      folder: invocation.arguments.first ?? ".", host: listen.0, port: listen.1,
      requestLine: display.isVerbose ? Self.requestLine(surroundings, isJSON: isJSON) : nil)
    self.isJSON = isJSON
    self.surroundings = surroundings
  }

  private static func requestLine(
    _ surroundings: Surroundings, isJSON: Bool
  ) -> @Sendable (String) -> Void {
    { line in
      if isJSON {
        surroundings.output.line(JSONLine.text(["event": "request", "line": line]))
      } else {
        surroundings.errors.line(Redaction.printable(line))
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
