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
    let display = try DisplayOptions(settings)
    let isJSON = display.isJSON
    var options = try ServeOptions(
      folder: invocation.arguments.first ?? ".", settings: settings,
      log: display.isVerbose ? Self.log(surroundings, isJSON: isJSON) : nil)
    if display.isVerbose {
      options.notice = { path, reason in
        surroundings.errors.line(Redaction.printable("left out: \(path): \(reason)"))
      }
    }
    options.trouble = { surroundings.errors.line("warning: " + Redaction.printable($0)) }
    self.options = options
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
      let secrets = try await options.secrets(line: surroundings.inputLine)
      server = try await surroundings.server(options, secrets)
    } catch {
      return fail(Failure(error))
    }
    onHangUp { Task { await reload(server) } }
    announce(server)
    // Nothing to do here until the signal comes: the server has its own threads.
    while !Task.isCancelled { try? await Task.sleep(for: .seconds(86_400)) }
    await server.stop()
    return .success
  }

  private func reload(_ server: any ServingMedia) async {
    do {
      if try await server.reloadCertificate() {
        surroundings.errors.line("new connections are shown the certificate that was read now")
      }
    } catch {
      surroundings.errors.line(
        "error: \(Redaction.printable(Failure(error).message)) The certificate of before stays in use."
      )
    }
    await server.rescan()
  }

  private func announce(_ server: any ServingMedia) {
    guard isJSON else {
      surroundings.output.line("listening on \(server.address)")
      if let file = server.keyFile {
        surroundings.errors.line("the API key of this server is in \(Redaction.printable(file))")
      }
      return
    }
    let line = Listening(url: server.address, apiKeyFile: server.keyFile, serverID: server.id)
    surroundings.output.line(JSONLine.text(line))
  }

  /// The first line of `serve --json`.
  private struct Listening: Encodable {
    let event = "listening"
    let url: String
    let apiKeyFile: String?
    let serverID: String?

    private enum CodingKeys: String, CodingKey {
      case event, url
      case apiKeyFile = "api_key_file"
      case serverID = "server_id"
    }
  }

  private func fail(_ failure: Failure) -> ExitCode {
    if isJSON {
      surroundings.output.line(JSONLine.text(EventJSON.failed(id: nil, source: nil, failure)))
    }
    surroundings.errors.line("error: \(Redaction.printable(failure.message))")
    return ExitCode(failure.code)
  }
}
