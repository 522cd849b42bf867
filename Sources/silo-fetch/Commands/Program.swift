import SiloDownloads
import SiloSystem

/// The program from its words to its exit code, without a process of its own.
struct Program: Sendable {
  let table: CommandTable
  let surroundings: Surroundings
  /// Called with what a hang-up should do, by the command that gives it a meaning.
  var onHangUp: @Sendable (@escaping @Sendable () -> Void) -> Void = { _ in }

  /// Does what `words` say; never throws.
  func run(_ words: [String]) async -> ExitCode {
    var writesEvents = false
    let code = await obey(words, &writesEvents)
    return OutputLoss.code(code, surroundings, isOfEvents: writesEvents)
  }

  private func obey(_ words: [String], _ writesEvents: inout Bool) async -> ExitCode {
    do {
      switch try ArgumentReader(table: table).read(words) {
      case .version:
        surroundings.output.line(Version.line)
        return .success
      case .help(let command, let isLong):
        surroundings.output.write(help(command, isLong: isLong))
        return .success
      case .run(let invocation):
        writesEvents =
          ["get", "season", "serve"].contains(invocation.command) || QueueCommand.isRun(invocation)
        do { return try await run(invocation) } catch var error as UsageError {
          // Whoever found it may not know for whom it read.
          error.command = error.command ?? (invocation.isNamed ? invocation.command : nil)
          throw error
        }
      }
    } catch let error as UsageError {
      return refuse(error, words)
    } catch {
      return refuse(UsageError("\(error)", exitCode: .config), words)
    }
  }

  private func help(_ name: String?, isLong: Bool) -> String {
    let text = HelpText(table: table)
    guard let name, let command = table.command(named: name) else {
      return text.program(isLong: isLong)
    }
    return text.command(command, isLong: isLong)
  }

  private func run(_ invocation: ArgumentReader.Invocation) async throws -> ExitCode {
    switch invocation.command {
    case "help":
      surroundings.output.write(ManualPage(table: table).text)
      return .success
    case "completion":
      surroundings.output.write(try CompletionScript.text(invocation.arguments[0], table))
      return .success
    default: break
    }
    if !invocation.isNamed, let first = invocation.arguments.first,
      SourceCheck.isMistypedCommand(first)
    {
      throw ArgumentReader(table: table).unknownCommand(first)
    }
    let settings = try settings(for: invocation)
    switch invocation.command {
    case "probe":
      return await (try ProbeCommand(invocation, settings: settings, surroundings: surroundings))
        .run()
    case "add":
      return await (try AddCommand(invocation, settings: settings, surroundings: surroundings))
        .run()
    case "queue":
      return await (try QueueCommand(invocation, settings: settings, surroundings: surroundings))
        .run()
    case "season":
      return await (try SeasonCommand(invocation, settings: settings, surroundings: surroundings))
        .run()
    case "search":
      return await (try SearchCommand(invocation, settings: settings, surroundings: surroundings))
        .run()
    case "login":
      return await (try LoginCommand(invocation, settings: settings, surroundings: surroundings))
        .run()
    case "logout":
      return await LogoutCommand(
        http: try HTTPOptions(settings), display: try DisplayOptions(settings),
        surroundings: surroundings
      ).run()
    case "status":
      return await StatusCommand(
        display: try DisplayOptions(settings), surroundings: surroundings
      ).run()
    case "library":
      return await (try LibraryCommand(invocation, settings: settings, surroundings: surroundings))
        .run()
    case "storage":
      return await (try StorageCommand(settings: settings, surroundings: surroundings)).run()
    case "serve":
      let command = try ServeCommand(invocation, settings: settings, surroundings: surroundings)
      return await command.run(onHangUp: onHangUp)
    default:
      return await (try GetCommand(invocation, settings: settings, surroundings: surroundings))
        .run()
    }
  }

  private func settings(for invocation: ArgumentReader.Invocation) throws -> Settings {
    guard let command = table.command(named: invocation.command) else {
      throw UsageError("there is no command '\(invocation.command)'")
    }
    let file = try configFile()
    let settings = Settings(
      command: command, given: invocation.options, environment: surroundings.environment,
      file: file)
    if settings.text("quiet").flatMap(Settings.truth) != true {
      for warning in file?.warnings ?? [] {
        surroundings.errors.line("warning: \(Redaction.printable(warning))")
      }
    }
    return settings
  }

  private func configFile() throws -> ConfigFile? {
    guard let path = ConfigFile.path(in: surroundings.environment),
      surroundings.exists(path)
    else { return nil }
    let text: String
    do {
      text = try surroundings.read(path, .configuration)
    } catch {
      throw UsageError("\(path): the configuration cannot be read: \(error)", exitCode: .config)
    }
    return try ConfigFile(path: path, text: text, table: table)
  }

  /// Says what is wrong; with `--json` also on stdout, as scripts expect it there.
  func refuse(_ error: UsageError, _ words: [String]) -> ExitCode {
    let message = Redaction.printable(error.description)
    surroundings.errors.line("silo-fetch: \(message)")
    if error.exitCode == .usage {
      let command = error.command.flatMap { table.command(named: $0) }
      surroundings.errors.write(HelpText(table: table).usage(command))
    }
    if words.contains("--json") {
      let failure = Failure(error)
      surroundings.output.line(JSONLine.text(EventJSON.failed(id: nil, source: nil, failure)))
      let others = [
        "probe", "serve", "search", "login", "logout", "status", "add", "queue", "library",
        "storage",
      ]
      let runsItems = !others.contains(where: words.contains) || words.contains("run")
      if runsItems {
        let summary = EventJSON.summary(finished: 0, skipped: 0, failed: 0)
        surroundings.output.line(JSONLine.text(summary))
      }
    }
    return error.exitCode
  }
}
