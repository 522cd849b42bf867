import SiloContract
import SiloMedia
import SiloSystem

import struct Foundation.URL

/// Downloads items of the server that is signed in to: registers them, fetches what the server registered, and tells it.
///
/// The bytes go the way of every file; what is a server's own is before and after them.
package struct SiloDownloader: Sendable {
  /// How often a file that changes while it is fetched is begun anew by one run.
  private static let mostRestarts = 1

  private let file: CredentialFile
  private let options: HTTPOptions
  private let waiting: Waiting
  private let pollPause: Duration

  /// A downloader for the sign-in in `file`.
  ///
  /// - Parameter pollPause: How often a file that the server still makes is asked for.
  package init(
    _ file: CredentialFile, _ options: HTTPOptions, pollPause: Duration = .seconds(15),
    waiting: Waiting = .system
  ) {
    (self.file, self.options, self.waiting) = (file, options, waiting)
    self.pollPause = pollPause
  }

  /// What the wishes choose of the version that would be fetched; nothing is registered.
  package func inspect(_ request: DownloadRequest) async throws -> Inspection {
    let session = try await SiloSession.open(file, options)
    return try await look(try await SiloTarget.find(request, session), request, session)
  }

  /// Registers, downloads and confirms; `nil` when the file was finished before.
  ///
  /// - Throws: What the server and the transfer throw; the row stays registered then, and the same command goes on.
  package func run(
    _ request: DownloadRequest, events: @escaping @Sendable (DownloadEvent) -> Void
  ) async throws -> FinishedDownload? {
    let session = try await SiloSession.open(file, options)
    guard session.account.profile != nil else {
      throw DownloadError(.auth, "The server wants a profile: sign in with --profile.")
    }
    let target = try await SiloTarget.find(request, session)
    try await admit(target, request, session, events)
    let registration = Registration(
      target: target, session: session, pollPause: pollPause, waiting: waiting, events: events)
    var row = try await registration.register()
    var restarts = 0
    while true {
      var version: ManagedDownload.Version?
      do {
        let download = try await ManagedDownload.open(row, of: target.reference, session)
        version = download.version
        return try await download.run(request, events: events)
      } catch let error as DownloadError
        where restarts < Self.mostRestarts && ManagedRow.mayChange(error)
      {
        restarts += 1
        row = try await again(after: error, row, version, registration)
        events(.warning("The file changed on the server: it is fetched anew. (\(error.message))"))
      }
    }
  }

  /// The row to go on with after `error`.
  ///
  /// - Throws: `error` when the server has nothing else than before.
  private func again(
    after error: DownloadError, _ row: DownloadRow, _ version: ManagedDownload.Version?,
    _ registration: Registration
  ) async throws -> DownloadRow {
    // Not given out now: it may be in the making again.
    if error.status == 409 || error.status == 404 { return try await registration.lookAgain(row) }
    // The server looks at its file when somebody registers it.
    let next = try await registration.register()
    let now = try await ManagedDownload.open(
      next, of: registration.target.reference, registration.session)
    guard now.version != version else { throw error }
    return next
  }

  /// Refuses what cannot be met before anything is registered: a language, a track, a size.
  private func admit(
    _ target: SiloTarget, _ request: DownloadRequest, _ session: SiloSession,
    _ events: @Sendable (DownloadEvent) -> Void
  ) async throws {
    guard
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
