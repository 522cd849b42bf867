import SiloContract
import Synchronization

/// The attempts of one run at a registered download: one, and another when the file turned out to be another one.
struct ManagedAttempts: Sendable {
  /// How often a file that changes while it is fetched is begun anew.
  private static let mostRestarts = 1
  /// How often the server is asked whether it has seen that its file is another one: it looks at its folder now and then.
  private static let mostLooks = 2

  let registration: Registration
  let notes: RowNotes
  /// What was told of the row already.
  let sheet: ItemSheet?

  /// Downloads `row`; `nil` when its file was finished before.
  func run(_ request: DownloadRequest, _ row: DownloadRow) async throws -> FinishedDownload? {
    var row = row
    var restarts = 0
    let events = registration.events
    while true {
      var version: ManagedDownload.Version?
      let hasBytes = Mutex(false)
      do {
        let download = try await open(row, known: restarts == 0 ? sheet : nil)
        version = download.version
        return try await download.run(request) { event in
          if case .progress(let progress) = event, progress.bytes > 0 {
            hasBytes.withLock { $0 = true }
          }
          events(event)
        }
      } catch let error as DownloadError
        where restarts < Self.mostRestarts && ManagedRow.mayChange(error)
      {
        restarts += 1
        row = try await again(after: error, row, version, looks: hasBytes.withLock { $0 })
        events(.warning("The file changed on the server: it is fetched anew. (\(error.message))"))
      }
    }
  }

  /// The row to go on with after `error`.
  ///
  /// - Parameter looks: Whether bytes of the version were there: then it was right before, and the server may only not have
  ///   seen yet that it is not any more.
  /// - Throws: `error` when the server has nothing else than before.
  private func again(
    after error: DownloadError, _ row: DownloadRow, _ version: ManagedDownload.Version?,
    looks: Bool
  ) async throws -> DownloadRow {
    // Not given out now: it may be in the making again.
    if error.status == 409 || error.status == 404 { return try await registration.lookAgain(row) }
    for look in 0...(looks ? Self.mostLooks : 0) {
      if look > 0 {
        registration.events(.phase(.waiting))
        try await registration.waiting.sleep(registration.pollPause)
      }
      // The server looks at its file when somebody registers it.
      let next = try await registration.register()
      if try await open(next).version != version { return next }
    }
    throw error
  }

  private func open(_ row: DownloadRow, known: ItemSheet? = nil) async throws -> ManagedDownload {
    try await ManagedDownload.open(
      row, of: registration.target.reference, registration.session, notes, known: known)
  }
}
