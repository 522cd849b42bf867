import SiloContract
import SiloMedia
import SiloSystem

import struct Foundation.URL

/// Downloads items of the server that is signed in to: registers them, fetches what the server registered, and tells it.
///
/// The bytes go the way of every file; what is a server's own is before and after them.
public struct SiloDownloader: Sendable {
  private let file: CredentialFile
  private let options: HTTPOptions
  private let waiting: Waiting
  private let pollPause: Duration
  private let season: SeasonRows?

  /// A downloader for the sign-in in `file`.
  ///
  /// - Parameter pollPause: How often a file that the server still makes is asked for.
  public init(
    _ file: CredentialFile, _ options: HTTPOptions, pollPause: Duration = .seconds(15)
  ) {
    self.init(file, options, pollPause: pollPause, season: nil)
  }

  /// - Parameter season: Rows that are registered already.
  package init(
    _ file: CredentialFile, _ options: HTTPOptions, pollPause: Duration = .seconds(15),
    season: SeasonRows?, waiting: Waiting = .system
  ) {
    (self.file, self.options, self.waiting) = (file, options, waiting)
    (self.pollPause, self.season) = (pollPause, season)
  }

  /// What the wishes choose of the version that would be fetched; nothing is registered.
  public func inspect(_ request: DownloadRequest) async throws -> Inspection {
    let session = try await SiloSession.open(file, options)
    let target = try await SiloTarget.find(request, session)
    var inspection = try await look(target, request, session)
    inspection.add(beside: target.subtitles, request.wishes)
    return inspection
  }

  /// Registers, downloads and confirms; `nil` when the file was finished before.
  ///
  /// - Throws: What the server and the transfer throw; the row stays registered then, and the same command goes on.
  public func run(
    _ request: DownloadRequest, events: @escaping @Sendable (DownloadEvent) -> Void
  ) async throws -> FinishedDownload? {
    let session = try await SiloSession.open(file, options) { events(.warning($0)) }
    try Self.requireOwner(request, session)
    let notes = RowNotes(store: StateStore(), item: request.itemID.flatMap { Int64($0) })
    let before = await notes.before(session)
    let reference = try SiloReference(request.source)
    let registered = reference.flatMap { season?.row(of: $0) }
    if let before, registered == nil, !request.overwrites,
      try await isRevoked(before, notes, session, events)
    {
      return nil
    }
    if let quality = request.quality {
      events(
        .warning("--quality \(quality): a file that the server prepares keeps one audio track."))
    }
    let known = registered.flatMap { row in reference.flatMap { SiloTarget.of(row, $0) } }
    var wanted = known
    if wanted == nil { wanted = try await SiloTarget.find(request, session) }
    guard let target = wanted else { return nil }
    if let title = target.title { await notes.called(title) }
    // What is registered already was looked at then.
    if before == nil { try await admit(target, request, session, events) }
    let registration = Registration(
      target: target, session: session, pollPause: pollPause, waiting: waiting, events: events)
    let row =
      if let registered, known != nil { try await registration.ready(registered) } else {
        try await registration.register()
      }
    if let before, before.download != row.id.text, await notes.finished(before) != nil {
      events(.warning("The server had removed this download; it is registered again."))
    }
    return try await ManagedAttempts(
      registration: registration, notes: notes, sheet: season?.sheet(of: row)
    ).run(request, row)
  }

  /// Refuses an item of somebody else than is signed in now: nothing of it may reach his server rows.
  private static func requireOwner(_ request: DownloadRequest, _ session: SiloSession) throws {
    guard let owner = session.account.owner else {
      throw DownloadError(.auth, "The server wants a profile: sign in with --profile.")
    }
    guard let wanted = request.owner, wanted != owner else { return }
    throw DownloadError(
      .auth, "Another account or profile is signed in now than when this was wanted.",
      cause: OtherAccount())
  }

  /// Whether a finished file is of a row that is given out no more: it stays, and that is said once.
  private func isRevoked(
    _ before: ManagedItem, _ notes: RowNotes, _ session: SiloSession,
    _ events: @Sendable (DownloadEvent) -> Void
  ) async throws -> Bool {
    guard let id = DownloadID(before.download), let url = await notes.finished(before) else {
      return false
    }
    do {
      let _: OfflineManifest = try await session.calls.call("GET", "downloads/\(id)/manifest")
      return false
    } catch let error as DownloadError where error.siloCode == .downloadInactive {
      if await notes.isFirst("revoked", before) {
        events(.warning("The server gives this download out no more; the file stays."))
      }
      events(.skipped(path: url, reason: "finished and verified before"))
      return true
    } catch let error as DownloadError where error.siloCode == .notFound {
      return false
    }
  }

  /// Refuses what cannot be met before anything is registered: a language, a track, a size.
  private func admit(
    _ target: SiloTarget, _ request: DownloadRequest, _ session: SiloSession,
    _ events: @Sendable (DownloadEvent) -> Void
  ) async throws {
    // Of a file that is prepared nobody knows yet what is in it.
    guard
      request.quality == nil,
      request.wishes.requiresAudio || request.wishes.audioTracks != nil
        || request.maximumSize != nil
    else { return }
    let inspection: Inspection
    do {
      inspection = try await look(target, request, session)
    } catch let error as DownloadError where [.notFound, .unavailable].contains(error.code) {
      // Not every server lets everybody look: then the file of the row is looked into.
      return
    }
    let budget = StorageBudget(maximum: request.maximumSize)
    try budget.requireSize(of: inspection.selection, in: inspection.inventory)
    do {
      try budget.admit(inspection.selection, of: inspection.inventory)
    } catch {
      if let maximum = request.maximumSize {
        events(
          .overBudget(
            BudgetProposal(
              inspection.inventory, selection: inspection.selection, limit: maximum)))
      }
      throw error
    }
  }

  private func look(
    _ target: SiloTarget, _ request: DownloadRequest, _ session: SiloSession
  ) async throws -> Inspection {
    var own = request
    own.source =
      session.address.url(
        "direct-download", query: [("file_id", target.file.description)]
      ).absoluteString
    return try await Downloader(session.options).inspect(own)
  }
}

/// What is wanted is of another account or profile than is signed in: it waits for its own.
struct OtherAccount: Error {}
