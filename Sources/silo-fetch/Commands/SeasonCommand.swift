import SiloDownloads
import SiloSystem

/// `season`: every episode of a series, or of one season, as items of one run; one that fails does not stop the others.
struct SeasonCommand: Sendable {
  private let get: GetCommand
  private let series: SiloReference
  private let season: Int?

  /// Reads the settings and the series of `invocation`.
  init(
    _ invocation: ArgumentReader.Invocation, settings: Settings, surroundings: Surroundings
  ) throws(UsageError) {
    let source = invocation.arguments.first ?? ""
    do {
      guard let reference = try SiloReference(source) else {
        throw DownloadError(.usage, "season wants silo:SERIES")
      }
      series = reference
    } catch {
      throw UsageError(Failure(error).message, command: "season")
    }
    season = try settings.integer("season", in: 0...9999)
    guard settings.text("from-file") == nil else {
      throw UsageError("season takes one series, and no --from-file", command: "season")
    }
    get = try GetCommand(invocation, settings: settings, surroundings: surroundings)
    try GetCommand.checkShared(get.options.request, command: "season")
  }

  /// Fetches them; never throws.
  func run() async -> ExitCode {
    var get = get
    do {
      let file = try get.surroundings.credentialFile()
      let session = try await SiloSession.open(file, get.options.http) {
        get.report.warning($0)
      }
      try await choose(session, &get)
    } catch {
      let failure = Failure(error)
      get.report.ended(.failed(failure), of: GetItem(id: "1", source: series.description))
      get.report.summary(finished: 0, skipped: get.skippedCount, failed: 1)
      return ExitCode(failure.code)
    }
    return await get.run()
  }

  /// Finds the episodes, and registers them by one call where there is nothing to choose.
  private func choose(_ session: SiloSession, _ get: inout GetCommand) async throws {
    let episodes = try await SiloCatalog(session).episodes(of: series, season: season)
    await get.surroundings.ownQueue().remember(episodes, of: series)
    var wanted = episodes.filter(\.hasFile).map(\.reference)
    var left = episodes.filter { !$0.hasFile }.map { ($0.title, "the server has no file of it") }
    if !wanted.isEmpty, !get.options.isDryRun, SeasonRows.isApt(episodes, get.options.request),
      let rows = try await SeasonRows.register(series, season: season, episodes, session)
    {
      get.season = rows
      wanted = rows.episodes
      left = rows.skipped.map { ($0.title, Self.words($0.reason)) }
    }
    for (title, reason) in left { get.report.warning("\(title): skipped: \(reason)") }
    get.skippedCount = left.count
    let titles = Dictionary(episodes.map { ($0.reference, $0.title) }) { first, _ in first }
    get.items = wanted.enumerated().map { index, episode in
      GetItem(id: "\(index + 1)", source: episode.description, name: titles[episode])
    }
    guard !wanted.isEmpty else {
      throw DownloadError(
        .notFound, "No episode of it has a file on the server.", subject: series.description)
    }
  }

  private static func words(_ reason: String) -> String {
    reason == "no_file" ? "the server has no file of it" : "the server says \(reason)"
  }
}
