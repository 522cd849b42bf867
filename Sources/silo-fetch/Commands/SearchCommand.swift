import SiloDownloads
import SiloSystem

/// `search`: what the server has for some words, with what to give to `get` or `season`.
struct SearchCommand: Sendable {
  private let text: String
  private let limit: Int
  private let http: HTTPOptions
  private let display: DisplayOptions
  private let surroundings: Surroundings

  /// Reads the settings and the words of `invocation`.
  init(
    _ invocation: ArgumentReader.Invocation, settings: Settings, surroundings: Surroundings
  ) throws(UsageError) {
    text = invocation.arguments.joined(separator: " ")
    guard text.contains(where: { !$0.isWhitespace }) else {
      throw UsageError("TEXT is empty", command: "search")
    }
    limit = try settings.integer("limit", in: 1...10_000) ?? 20
    let options = try HTTPOptions(settings)
    try HTTPOptions.checkFiles(settings, surroundings.fault)
    display = try DisplayOptions(settings)
    http = RetryLines.telling(options, display, surroundings)
    self.surroundings = surroundings
  }

  /// Prints what is found.
  ///
  /// Never throws; nothing found is no failure.
  func run() async -> ExitCode {
    let report = SignInReport(display: display, surroundings: surroundings)
    do {
      let session = try await SiloSession.open(try surroundings.credentialFile(), http) {
        report.warn($0)
      }
      let findings = try await SiloCatalog(session).search(text, limit: limit)
      await surroundings.ownQueue().remember(findings)
      for line in display.isJSON ? findings.map(Self.json) : Self.table(findings) {
        surroundings.output.line(line)
      }
      if findings.isEmpty, !display.isJSON, !display.isQuiet {
        surroundings.errors.line("nothing found")
      }
      return .success
    } catch {
      return report.fail(error)
    }
  }

  private static func json(_ finding: SiloCatalog.Finding) -> String {
    var line = FlatJSON()
    line.add("id", finding.reference.episodeID ?? finding.reference.id)
    line.add("source", finding.reference.description)
    line.add("title", finding.title)
    line.add("type", finding.kind)
    line.add("year", finding.year.map(Int64.init))
    return line.text
  }

  private static func table(_ findings: [SiloCatalog.Finding]) -> [String] {
    let rows = findings.map { finding in
      let year = finding.year.map { " (\($0))" } ?? ""
      return (
        finding.reference.description, Redaction.printable(finding.kind),
        Redaction.printable(finding.title) + year
      )
    }
    let first = rows.map { Columns.count($0.0) }.max() ?? 0
    let second = rows.map { Columns.count($0.1) }.max() ?? 0
    return rows.map { source, kind, title in
      "\(Columns.padded(source, to: first))  \(Columns.padded(kind, to: second))  \(title)"
    }
  }
}
