import Foundation
import SiloMedia
import SiloSystem

/// Carries one source along the path: inventory, selection, estimate, transfer, verification, packaging.
///
/// All requests of one downloader share connections, rate limit and credentials, which belong to one origin.
public actor Downloader {
  private let client: HTTPClient
  private let finished: FinishedFiles
  private let known: FirstSegments
  private let looks: SourceLooks
  private let unfinished: UnfinishedFiles

  /// A downloader that makes its requests as `http` says.
  ///
  /// The origin of the user's headers is `http.credentialOrigin`.
  public init(_ http: HTTPOptions) {
    client = HTTPClient(http)
    let store = StateStore()
    finished = FinishedFiles(store: store)
    known = FirstSegments(store: store)
    looks = SourceLooks(store: store)
    unfinished = UnfinishedFiles(store: store)
  }

  /// What the source holds, and what the wishes choose of it; nothing is written.
  ///
  /// - Throws: `DownloadError` or `MediaError`; `CancellationError`.
  public func inspect(_ request: DownloadRequest) async throws -> Inspection {
    do {
      return try Self.inspection(of: try await open(request, recalling: nil), request)
    } catch let unseen as UnseenFile {
      throw unseen.refusal
    }
  }

  /// Downloads, verifies and packages the source, and gives the file its name when all of that succeeded.
  ///
  /// - Returns: `nil` when the file was finished before; an event says so.
  /// - Throws: `DownloadError` or `MediaError`; `CancellationError`, with what arrived kept for the next run.
  public func run(
    _ request: DownloadRequest, events: @escaping @Sendable (DownloadEvent) -> Void
  ) async throws -> FinishedDownload? {
    do {
      return try await run(request, try await open(request, recalling: looks), events)
    } catch let unseen as UnseenFile {
      return try await run(request, unseen: unseen, events)
    }
  }

  /// A file that cannot be looked into is fetched first; when it is then not wanted, nothing of it stays.
  private func run(
    _ request: DownloadRequest, unseen: UnseenFile,
    _ events: @escaping @Sendable (DownloadEvent) -> Void
  ) async throws -> FinishedDownload? {
    events(.warning("the server gives no byte ranges: it is fetched first and looked into then"))
    let fetch = UnseenFetch(request: request, file: unseen, client: client, events: events) {
      [store = finished.store] url in
      let (path, source) = (url.path, ResourceIdentity.text(of: unseen.url))
      try? await store.write {
        try UnfinishedFileTable.store(path, of: source, by: request.itemNumber, in: $0)
      }
    }
    let (file, transferred) = try await fetch.run()
    do {
      let result = try await run(request, .file(file), events)
      if result == nil { transferred.discard() }
      return result
    } catch let error as MediaError
      where [.notFound, .overBudget, .unsupported, .corrupt, .encrypted].contains(error.code)
    {
      transferred.discard()
      throw error
    }
  }

  private func run(
    _ request: DownloadRequest, _ opened: OpenedSource,
    _ events: @escaping @Sendable (DownloadEvent) -> Void
  ) async throws -> FinishedDownload? {
    let inspection = try Self.inspection(of: opened, request)
    events(.inspected(inspection))
    for warning in inspection.warnings { events(.warning(warning)) }
    var job = try DownloadJob(request, opened: opened, selection: inspection.selection)
    if let kept = await finished.place(of: job) { job.place.url = kept }
    events(.placed(job.place.url))
    if let warning = job.place.warning { events(.warning(warning)) }
    defer { tellDamage(events) }
    switch try await claimed(job) {
    case .wanted: break
    case .superseded:
      events(
        .warning("The server has another revision of it: it is replaced when that is verified."))
      job.request.overwrites = true
    case .finished(let skipped):
      SideFiles(job: job).sweep()
      events(skipped)
      return nil
    }
    return try await fetch(job, events)
  }

  private func fetch(
    _ job: DownloadJob, _ events: @escaping @Sendable (DownloadEvent) -> Void
  ) async throws -> FinishedDownload {
    let reservation = try await admit(job, events)
    // Beside the transfer, which does not wait for this disk; only spools do, before their first segment.
    let noting = Task {
      await note(job)
      for text in await unfinished.leftovers(of: job) { events(.warning(text)) }
    }
    let run = DownloadRun(
      job: job, client: client, reservation: reservation, events: events, noted: noting
    ) { [finished] part, sha256 in
      await noting.value
      let failure = try await finished.record(
        job.place.url, from: part, sha256: sha256, source: job.sourceName,
        selection: job.selectionName, by: job.request.itemNumber)
      guard let failure else { return }
      let reason = (failure as? CocoaError)?.localizedDescription ?? "\(failure)"
      let note = URL(filePath: FinishedFileNote(of: job.place.url).path).lastPathComponent
      events(
        .warning(
          "\(finished.store.path) cannot be written (\(reason)): that this file is finished is kept in \(note)"
        ))
    }
    do {
      let result = try await run.perform()
      events(.phase(.finished))
      return result
    } catch {
      await noting.value
      if error is MediaError || (error as? DownloadError)?.code == .integrity {
        // What was found before the download and what came do not fit: the next run looks itself.
        try? await looks.forget(job.sourceName)
      }
      throw error
    }
  }

  private func tellDamage(_ events: @Sendable (DownloadEvent) -> Void) {
    for text in finished.store.damage.take() { events(.warning(text)) }
  }

  private func open(
    _ request: DownloadRequest, recalling looks: SourceLooks?
  ) async throws -> OpenedSource {
    let source = try SourceReference(request.source)
    return try await SourceOpening(
      client: client, wish: request.wishes.video, known: known, looks: looks,
      name: request.registered?.name
    ).open(source)
  }

  /// Notes what a rerun should not have to ask for again, and what it should know of; that this fails costs only that.
  private func note(_ job: DownloadJob) async {
    let (source, path, item) = (job.sourceName, job.place.url.path, job.request.itemNumber)
    let isRemote = job.isRemote
    try? await finished.store.write { [opened = job.opened] connection in
      try UnfinishedFileTable.store(path, of: source, by: item, in: connection)
      guard isRemote else { return }
      switch opened {
      case .file(let file):
        if let look = file.look { try SourceLookTable.store(look, into: source, in: connection) }
      case .presentation(let opened):
        try FirstSegments.note(opened.presentation, of: source, in: connection)
      }
    }
  }

  private static func inspection(
    of opened: OpenedSource, _ request: DownloadRequest
  ) throws -> Inspection {
    let inventory = opened.inventory
    guard !(inventory.video.isEmpty && inventory.audio.isEmpty && inventory.subtitles.isEmpty)
    else {
      throw MediaError(.unsupported, "there is no track in it", subject: opened.names.lastComponent)
    }
    let selection = try inventory.select(request.wishes)
    return Inspection(
      inventory: inventory, selection: selection, warnings: opened.warnings + selection.warnings)
  }

  /// What lies where the file will be.
  private enum Standing {
    /// Nothing, or what may be replaced.
    case wanted
    /// The same item, which its server has meanwhile at another revision.
    case superseded
    /// The file itself.
    case finished(DownloadEvent)
  }

  /// What lies there, claimed for this source, unless that is its file already: of two sources of one run with one name the
  /// first has it, and what was finished before is nobody's fault.
  private func claimed(_ job: DownloadJob) async throws -> Standing {
    let refused: any Error
    do {
      let standing = try await standing(of: job)
      if case .finished = standing { return standing }
      try claim(job)
      return standing
    } catch { refused = error }
    try claim(job)
    throw refused
  }

  private func claim(_ job: DownloadJob) throws {
    // Not by the row: an item that is given up and taken up again in one run has another one.
    try job.request.claims?.claim(
      job.place.url, by: job.request.registered?.item ?? job.sourceName)
  }

  /// Refuses what would overwrite; tells when there is nothing to do.
  private func standing(of job: DownloadJob) async throws -> Standing {
    let path = job.place.url.path
    guard FileManager.default.fileExists(atPath: path), !job.request.overwrites else {
      return .wanted
    }
    var record: FinishedFile?
    do { record = try await finished.record(of: job.place.url) } catch {
      throw DownloadError(
        .config, "the record of finished files cannot be read: \(error)",
        subject: finished.store.path, cause: error)
    }
    if let record, record.source == job.sourceName, record.selection == job.selectionName {
      return .finished(
        .skipped(path: job.place.url, reason: "finished and verified before"))
    }
    if let registered = job.request.registered {
      if let record, registered.supersedes(record.source) { return .superseded }
      if record == nil, await finished.isAlmostNamed(job) { return .superseded }
    }
    let what =
      switch record?.source {
      case nil where await finished.isKnown(job.place.url):
        "there is the file that was finished here, and it was changed since"
      case nil: "there is a file that is not from here"
      case job.sourceName: "there is a file with another choice of tracks"
      case let other? where other.hasPrefix("\(job.request.registered?.item ?? "-") #"):
        "there is the file of this item that another account or profile fetched"
      case let other?:
        "there is the file of another source, \(Redaction.printable(Self.shown(other)))"
      }
    throw DownloadError(
      .config, "\(what); it is kept. --overwrite replaces it", subject: Redaction.printable(path))
  }

  /// A source as it may be shown: of a registered one the item alone.
  private static func shown(_ source: String) -> String {
    guard source.hasPrefix("silo:") else { return source }
    return String(source.prefix { $0 != " " })
  }

  /// Refuses what does not fit; promises the rest its room.
  private func admit(
    _ job: DownloadJob, _ events: @Sendable (DownloadEvent) -> Void
  ) async throws -> SpaceReservation {
    let inventory = job.opened.inventory
    let maximum = job.request.maximumSize
    try StorageBudget(maximum: maximum).requireSize(
      of: job.selection, in: inventory, subject: job.sourceName)
    do {
      return try await SpaceReservations.shared.reserve(
        job.spaceNeed, waits: { events(.phase(.waiting)) }
      ) { look in
        try StorageBudget(
          maximum: maximum, free: look.freeByteCount, reserve: look.reservedByteCount
        ).admit(
          job.selection, of: inventory, peak: look.peakByteCount, stored: look.usedByteCount)
      }
    } catch {
      if let maximum, (job.selection.size.byteCount ?? 0) > maximum {
        events(.overBudget(BudgetProposal(inventory, selection: job.selection, limit: maximum)))
      }
      throw error
    }
  }
}
