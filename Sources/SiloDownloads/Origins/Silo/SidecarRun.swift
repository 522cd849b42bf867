import SiloContract
import SiloMedia
import SiloSystem
import Synchronization

import struct Foundation.URL

/// Follows the download of an item of a server, and then brings what lies beside its file.
///
/// That an item is finished is told when everything is there.
final class SidecarRun: Sendable {
  private struct State {
    var place: URL?
    var inspection: Inspection?
    /// Said of the file alone, and not true when the files beside it count.
    var untrue: Set<String> = []
    var ending: DownloadEvent?
    var noting: Task<Void, Never>?
  }

  private let sheet: ItemSheet
  private let request: DownloadRequest
  private let session: SiloSession
  private let store: StateStore
  private let events: @Sendable (DownloadEvent) -> Void
  private let state = Mutex(State())

  /// - Parameter request: What is downloaded; its place is the shelf's when it names a folder.
  init(
    _ sheet: ItemSheet, _ request: DownloadRequest, _ session: SiloSession,
    store: StateStore = StateStore(), events: @escaping @Sendable (DownloadEvent) -> Void
  ) {
    (self.sheet, self.request, self.session) = (sheet, request, session)
    (self.store, self.events) = (store, events)
  }

  /// Takes in what happened and passes it on; what says that it is over waits for `finish`.
  func pass(_ event: DownloadEvent) {
    switch event {
    case .phase(.finished), .skipped:
      state.withLock { $0.ending = event }
    case .inspected(let inspection):
      let alone = inspection.selection.warnings
      let all =
        ExternalSubtitles(
          sheet.manifest.subtitles, wishes: request.wishes, inventory: inspection.inventory
        ).warnings ?? alone
      let untrue = Set(alone).subtracting(all)
      let added = all.filter { !alone.contains($0) }
      state.withLock { ($0.inspection, $0.untrue) = (inspection, untrue) }
      var told = inspection
      told.selection.warnings = all
      told.warnings = inspection.warnings.filter { !untrue.contains($0) } + added
      events(.inspected(told))
      for text in added { events(.warning(text)) }
    case .placed(let url):
      state.withLock { $0.place = url }
      noteFolders(above: url)
      events(event)
    case .warning(let text) where state.withLock({ $0.untrue.contains(text) }): break
    default: events(event)
    }
  }

  /// Brings what lies beside the file, which has its name; then it is told that it is over.
  ///
  /// - Returns: What lies beside it.
  /// - Throws: See `SidecarWork.run`.
  func finish() async throws -> [URL] {
    var found: [URL] = []
    await state.withLock { $0.noting }?.value
    let (place, inspection, ending) = state.withLock { ($0.place, $0.inspection, $0.ending) }
    if let place, let inspection {
      let plan = SidecarPlan(
        sheet, wishes: request.wishes, inventory: inspection.inventory,
        place: SidecarPlan.Place(
          path: place.path, isShelved: DownloadJob.isFolder(request.output),
          server: session.address, nameByteLimit: DiskSpace.nameByteLimit(beside: place)))
      var fetch = SidecarFetch(sheet, session)
      fetch.media = .file(place.path)
      try await SidecarWork(plan: plan, sheet: sheet, fetch: fetch, store: store) { [events] text in
        events(.warning(text))
      }.run()
      let sidecars = try? await store.read { connection in
        try SidecarTable.sidecars(of: .file(place.path), in: connection)
          + SidecarTable.shared(by: place.path, in: connection)
      }
      found = ((sidecars ?? nil) ?? []).filter { $0.isStill(FileFacts($0.path)) }.map {
        URL(filePath: $0.path, directoryHint: .notDirectory)
      }
    }
    if let ending { events(ending) }
    return found
  }

  /// Notes the folders that the download is going to make; the queue may do so, too.
  private func noteFolders(above url: URL) {
    let folders = ItemFiles.missingFolders(above: url.path)
    guard !folders.isEmpty else { return }
    let store = store
    state.withLock { state in
      state.noting = Task {
        try? await store.write { try ItemTable.note(folders: folders, in: $0) }
      }
    }
  }
}
