import Foundation
import SiloDownloads
import SiloMedia
import SiloSystem

/// `library`: what is stored.
struct LibraryCommand: Sendable {
  /// What is done.
  enum Action: String, CaseIterable {
    case list, show, verify, remove, export
  }

  let action: Action
  let arguments: [String]
  let isForced: Bool
  let display: DisplayOptions
  let http: HTTPOptions
  let surroundings: Surroundings

  /// Reads the settings and the action of `invocation`.
  init(
    _ invocation: ArgumentReader.Invocation, settings: Settings, surroundings: Surroundings
  ) throws(UsageError) {
    let word = invocation.arguments.first ?? "list"
    guard let action = Action(rawValue: word) else {
      let names = Action.allCases.map(\.rawValue)
      let nearest = NearestName.of(word, among: names).map { "; did you mean '\($0)'?" } ?? ""
      throw UsageError(
        "library has no '\(Redaction.printable(word))'\(nearest)", command: "library")
    }
    self.action = action
    arguments = Array(invocation.arguments.dropFirst())
    isForced = try settings.isOn("force")
    display = try DisplayOptions(settings)
    http = try HTTPOptions(settings)
    self.surroundings = surroundings
    switch action {
    case .list where !arguments.isEmpty:
      throw UsageError("library lists everything; library show ID shows one", command: "library")
    case .show, .remove:
      if arguments.isEmpty {
        throw UsageError("library \(action.rawValue) needs ID", command: "library")
      }
    case .export where arguments.isEmpty || arguments.contains(""):
      throw UsageError("library export needs DIR", command: "library")
    default: break
    }
  }

  /// Does it; never throws.
  func run() async -> ExitCode {
    let library = await surroundings.ownLibrary()
    do {
      let code = try await obey(library)
      for text in library.warnings() { surroundings.errors.line("warning: \(text)") }
      return code
    } catch {
      for text in library.warnings() { surroundings.errors.line("warning: \(text)") }
      return CommandFailure.tell(error, display, surroundings)
    }
  }

  private func obey(_ library: OfflineLibrary) async throws -> ExitCode {
    switch action {
    case .list: list(try await library.entries())
    case .show: return try await show(library)
    case .verify: return try await verify(library)
    case .remove:
      for removal in try await library.remove(arguments, force: isForced) {
        for text in removal.warnings {
          surroundings.errors.line("warning: \(removal.item.id): \(text)")
        }
        tell(
          removal.item.id, removal.item.title, "removed, \(ByteCount.text(removal.freedByteCount))"
        ) { $0.add("bytes", removal.freedByteCount) }
      }
      await surroundings.tellServer(http)
    case .export: return try await export(library)
    }
    return .success
  }

  private func list(_ entries: [LibraryEntry]) {
    if display.isJSON {
      let lines = entries.map { LibraryEntryText.json($0) + "\n" }
      return surroundings.output.write(lines.joined())
    }
    let terminal = surroundings.outputTerminal(display.color)
    let lines = LibraryEntryText.table(entries, terminal)
    surroundings.output.write(lines.map { $0 + "\n" }.joined())
  }

  private func show(_ library: OfflineLibrary) async throws -> ExitCode {
    var failures: [ExitCode] = []
    let entries = try await library.entries(arguments)
    for entry in entries {
      do {
        let inventory = try await library.inventory(of: entry)
        let sideFiles = try await library.sideFiles(of: entry)
        if display.isJSON {
          surroundings.output.line(
            JSONLine.text(StoredJSON(entry: entry, inventory: inventory, sideFiles: sideFiles)))
        } else {
          let terminal = surroundings.outputTerminal(display.color)
          let lines = LibraryEntryText.lines(entry, inventory, sideFiles, terminal)
          surroundings.output.write(lines.map { $0 + "\n" }.joined())
        }
      } catch {
        if display.isJSON { surroundings.output.line(LibraryEntryText.json(entry)) }
        failures.append(fail(error, entry))
      }
    }
    return ExitCode(succeeded: entries.count - failures.count, failures: failures)
  }

  private func verify(_ library: OfflineLibrary) async throws -> ExitCode {
    let entries = try await library.entries(arguments)
    var failures: [ExitCode] = []
    for entry in entries {
      let report = try await library.verify(entry)
      let lost = try await library.sideFiles(of: entry).filter { $0.condition == .missing }
      for file in lost {
        surroundings.errors.line(
          "warning: \(entry.id): \(Redaction.printable(file.url.pathText)) is missing beside it; fetching it again brings only that"
        )
      }
      let isMissing = report.faults.contains { $0.kind == .missing }
      let state = isMissing ? "missing" : report.faults.isEmpty ? "verified" : "damaged"
      if !report.faults.isEmpty { failures.append(isMissing ? .notFound : .integrity) }
      let faults = report.faults.map(\.description)
      let words =
        faults.isEmpty ? report.verified.joined(separator: ", ") : faults.joined(separator: " ")
      tell(entry.id, entry.title, "\(state): \(words)", isError: !faults.isEmpty) {
        $0.add("faults", faults)
        $0.add("missing_side_files", lost.map(\.url.pathText))
        $0.add("path", entry.url.pathText)
        $0.add("state", state)
        $0.add("verified", report.verified)
      }
    }
    return ExitCode(succeeded: entries.count - failures.count, failures: failures)
  }

  private func export(_ library: OfflineLibrary) async throws -> ExitCode {
    let path = Settings.expanded(arguments[0], home: surroundings.environment["HOME"])
    let folder = URL(filePath: path, directoryHint: .isDirectory)
    let entries = try await library.entries(Array(arguments.dropFirst()))
    var failures: [ExitCode] = []
    for entry in entries {
      do {
        let export = try await library.export(entry, to: folder)
        for text in export.warnings { surroundings.errors.line("warning: \(entry.id): \(text)") }
        let state = export.wasThere ? "there already" : "exported"
        tell(entry.id, entry.title, "\(state): \(Redaction.printable(export.url.pathText))") {
          $0.add("path", export.url.standardizedFileURL.pathText)
          $0.add("side_files", export.sideFiles.map(\.standardizedFileURL.pathText))
          $0.add("state", export.wasThere ? "skipped" : "exported")
        }
      } catch {
        if display.isJSON {
          let failed = EventJSON.failed(id: entry.id, source: entry.source, Failure(error))
          surroundings.output.line(JSONLine.text(failed))
        }
        failures.append(fail(error, entry))
      }
    }
    return ExitCode(succeeded: entries.count - failures.count, failures: failures)
  }

  private func fail(_ error: any Error, _ entry: LibraryEntry) -> ExitCode {
    let failure = Failure(error)
    let word = surroundings.terminal(display.color).styled("error", .red)
    surroundings.errors.line("\(word): \(entry.id): \(Redaction.printable(failure.message))")
    return ExitCode(failure.code)
  }

  /// One line for a person, or one object with the keys that `add` gives and the id.
  private func tell(
    _ id: String, _ title: String, _ words: String, isError: Bool = false,
    _ add: (inout FlatJSON) -> Void
  ) {
    if display.isJSON {
      var line = FlatJSON()
      line.add("id", id)
      line.add("title", title)
      add(&line)
      surroundings.output.line(line.text)
    } else if isError || !display.isQuiet {
      surroundings.output.line("\(id)  \(Redaction.printable(title)): \(words)")
    }
  }
}
