import SiloContract
import SiloMedia
import SiloSystem
import Synchronization

import struct Foundation.URL

/// Downloads items of the server that is signed in to: registers them, fetches what the server registered, and tells it.
///
/// The bytes go the way of every file; what is a server's own is before and after them.
package struct SiloDownloader: Sendable {
  private let file: CredentialFile
  private let options: HTTPOptions
  private let waiting: Waiting
  /// How often a file that is still being made is asked for.
  private let pollPause = Duration.seconds(15)

  /// A downloader for the sign-in in `file`.
  package init(_ file: CredentialFile, _ options: HTTPOptions, waiting: Waiting = .system) {
    (self.file, self.options, self.waiting) = (file, options, waiting)
  }

  /// What the wishes choose of the version that would be fetched; nothing is registered.
  package func inspect(_ request: DownloadRequest) async throws -> Inspection {
    let session = try await SiloSession.open(file, options)
    let target = try await target(of: request, session)
    var own = request
    own.source =
      session.address.url(
        "direct-download", query: [("file_id", target.file.description)]
      ).absoluteString
    return try await Downloader(session.options).inspect(own)
  }

  /// Registers, downloads and confirms; `nil` when the file was finished before.
  ///
  /// - Throws: What the server and the transfer throw; the row stays registered then, and the same command goes on.
  package func run(
    _ request: DownloadRequest, events: @escaping @Sendable (DownloadEvent) -> Void
  ) async throws -> FinishedDownload? {
    let session = try await SiloSession.open(file, options)
    let target = try await target(of: request, session)
    let row = try await register(target, session, events)
    let manifest: OfflineManifest = try await session.calls.call(
      "GET", "downloads/\(row.id)/manifest")
    try ManagedRow(row: row).check(manifest)
    var own = request
    own.source = session.address.url("downloads/\(row.id)/file").absoluteString
    own.checksum = request.checksum ?? ManagedRow.digest(manifest)
    let telling = Mutex<Task<Void, Never>?>(nil)
    let finished = try await Downloader(session.options).run(own) { event in
      events(event)
      guard case .phase(.transferring) = event else { return }
      telling.withLock { task in
        // No byte waits for it: a server that does not hear it loses nothing.
        task = task ?? Task { try? await Self.confirm(row, .downloading, session) }
      }
    }
    if finished != nil || row.status != .completed {
      // In this order: the other one would undo it.
      await telling.withLock { $0 }?.value
      do {
        try await Self.confirm(row, .completed, session)
      } catch let error as DownloadError {
        events(
          .warning(
            "The server was not told that this is finished, the next run will: \(error.message)"))
      }
    }
    return finished
  }

  /// What is to be registered: an item, and the version of it.
  private struct Target {
    var item: CreateRequest
    var file: MediaFileID
  }

  private func target(of request: DownloadRequest, _ session: SiloSession) async throws -> Target {
    guard let reference = try SiloReference(request.source),
      let id = ContentID(reference.episodeID ?? reference.id)
    else { throw DownloadError(.usage, "This is no item of a server.") }
    let detail = try await SiloCatalog(session).detail(of: id)
    guard detail.type != .series, detail.type != .season else {
      throw DownloadError(
        .usage, "This is a series: fetch it with: silo-fetch season silo:\(reference.id)",
        subject: reference.description)
    }
    guard let version = VersionChoice.choose(detail.versions, request.wishes) else {
      throw DownloadError(
        .notFound, "The server has no file of it.", subject: reference.description)
    }
    // A row of an episode is that of its series (facts, 1.2): an episode's id alone finds no file.
    var item = CreateRequest(contentID: detail.contentID)
    if detail.type == .episode {
      guard let series = detail.seriesID ?? (reference.episodeID == nil ? nil : reference.id) else {
        throw DownloadError(
          .integrity, "The server does not say which series this is of.",
          subject: reference.description)
      }
      item = CreateRequest(contentID: series)
      item.episodeID = detail.contentID
    }
    item.fileID = version.fileID
    item.quality = .original
    return Target(item: item, file: version.fileID)
  }

  private func register(
    _ target: Target, _ session: SiloSession, _ events: @Sendable (DownloadEvent) -> Void
  ) async throws -> DownloadRow {
    guard session.account.profile != nil else {
      throw DownloadError(.auth, "The server wants a profile: sign in with --profile.")
    }
    var row: DownloadRow = try await session.calls.call(
      "POST", "downloads", sending: target.item)
    if try ManagedRow(row: row).step() == .wait { events(.phase(.waiting)) }
    while try ManagedRow(row: row).step() == .wait {
      try await waiting.sleep(pollPause)
      let list: DownloadList = try await session.calls.call("GET", "downloads")
      guard let next = list.downloads.first(where: { $0.id == row.id }) else {
        throw DownloadError(.notFound, "The server has removed this download.")
      }
      row = next
    }
    return row
  }

  private static func confirm(
    _ row: DownloadRow, _ status: DownloadStatus, _ session: SiloSession
  ) async throws {
    try await session.calls.tell("PATCH", "downloads/\(row.id)", sending: StatusPatch(status))
  }
}
