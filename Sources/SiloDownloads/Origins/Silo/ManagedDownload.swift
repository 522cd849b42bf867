import SiloContract
import Synchronization

import struct Foundation.URL

/// One attempt at a registered download, at one revision of its row: fetched as the manifest says, and confirmed.
struct ManagedDownload: Sendable {
  /// The row.
  let row: DownloadRow
  /// What its file must be, and what is known of it.
  let sheet: ItemSheet
  let session: SiloSession
  let reference: SiloReference
  let notes: RowNotes

  /// What tells the file of one attempt from that of the next.
  struct Version: Hashable, Sendable {
    var row: DownloadID
    var revision: Int
    var byteCount: Int64?
    var hash: String?
  }

  /// Asks for the manifest of `row`.
  ///
  /// - Parameter known: What was told of it already.
  /// - Throws: See `ManagedRow.check` and `SiloCalls.call`.
  static func open(
    _ row: DownloadRow, of reference: SiloReference, _ session: SiloSession, _ notes: RowNotes,
    known: ItemSheet? = nil
  ) async throws -> ManagedDownload {
    var sheet = known
    if sheet == nil { sheet = try await ItemSheet.read(row, session) }
    guard let sheet else { throw ManagedRow.changed }
    try ManagedRow(row: row).check(sheet.manifest)
    return ManagedDownload(
      row: row, sheet: sheet, session: session, reference: reference, notes: notes)
  }

  private var manifest: OfflineManifest { sheet.manifest }
  var version: Version { Self.version(manifest) }

  private static func version(_ manifest: OfflineManifest) -> Version {
    Version(
      row: manifest.downloadID, revision: manifest.revision,
      byteCount: ManagedRow.byteCount(manifest), hash: manifest.integrity?.mediaFileHash)
  }

  /// Downloads and confirms; `nil` when the file was finished before.
  func run(
    _ request: DownloadRequest, events: @escaping @Sendable (DownloadEvent) -> Void
  ) async throws -> FinishedDownload? {
    var own = request
    own.source = session.address.url("downloads/\(row.id)/file").absoluteString
    own.checksum = request.checksum ?? ManagedRow.digest(manifest)
    own.registered = source
    own.shelf = sheet.subject
    await notes.note(self)
    let sidecars = SidecarRun(sheet, own, session, events: events)
    let telling = Mutex<Task<Void, Never>?>(nil)
    var finished = try await Downloader(session.options).run(own) { event in
      sidecars.pass(event)
      guard case .phase(.transferring) = event else { return }
      telling.withLock { task in
        // No byte waits for it: a server that does not hear it loses nothing.
        task = task ?? Task { try? await confirm(.downloading) }
      }
    }
    let beside = try await sidecars.finish()
    finished?.sideFiles = beside
    if finished != nil || row.status != .completed {
      // In this order: the other one would undo it.
      await telling.withLock { $0 }?.value
      await complete(events)
    }
    return finished
  }

  /// Says that the file is here; what is not heard, the next run that reaches the server says again.
  private func complete(_ events: @Sendable (DownloadEvent) -> Void) async {
    do {
      try await confirm(.completed)
    } catch let error as DownloadError where error.siloCode == .notFound {
      events(.warning("The server has no row of it any more; the file stays."))
      await notes.told(.completed, self)
    } catch {
      let reason = (error as? DownloadError)?.message ?? "\(error)"
      events(
        .warning("The server was not told that this is finished, the next run will: \(reason)"))
    }
  }

  /// The row as the table of items has it; `nil` when there is no item, or no profile.
  func managed(_ item: Int64?) -> ManagedItem? {
    guard let item, let owner = session.account.owner else { return nil }
    return ManagedItem(
      item: item, server: session.address.description, owner: owner,
      device: session.account.deviceID, download: row.id.text, revision: row.revision,
      name: source.name, file: manifest.mediaFileID?.number,
      byteCount: ManagedRow.byteCount(manifest), hash: manifest.integrity?.mediaFileHash)
  }

  /// The row as the transfer and the records know it.
  private var source: RegisteredSource {
    var source = RegisteredSource(
      item: reference.description, owner: session.account.owner ?? session.address.description,
      row: row.id.text, revision: row.revision, expectedByteCount: ManagedRow.byteCount(manifest))
    source.stillHolds = { try await requireSame() }
    return source
  }

  /// Asks for the manifest once more: what came may be of a version that is none any more.
  ///
  /// Whatever else it meets is no reason to throw away bytes that are all there.
  private func requireSame() async throws {
    let now: OfflineManifest
    do {
      now = try await session.calls.call("GET", "downloads/\(row.id)/manifest")
    } catch is DownloadError {
      return
    }
    guard now.downloadID == row.id, Self.version(now) != version else { return }
    throw ManagedRow.changed
  }

  private func confirm(_ status: DownloadStatus) async throws {
    try await session.calls.tell("PATCH", "downloads/\(row.id)", sending: StatusPatch(status))
    await notes.told(status, self)
  }
}
