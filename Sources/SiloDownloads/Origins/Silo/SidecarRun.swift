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
      events(event)
      let all = ExternalSubtitles(
        sheet.manifest.subtitles, wishes: request.wishes, inventory: inspection.inventory
      ).warnings
      let alone = inspection.selection.warnings
      state.withLock { state in
        state.inspection = inspection
        state.untrue = Set(alone).subtracting(all ?? alone)
      }
      for text in all ?? [] where !alone.contains(text) { events(.warning(text)) }
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
  /// - Throws: See `SidecarWork.run`.
  func finish() async throws {
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
    }
    if let ending { events(ending) }
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
