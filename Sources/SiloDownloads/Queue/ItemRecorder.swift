import Foundation
import SiloMedia
import SiloSystem
import Synchronization

/// Writes what a worker tells into the row of its item: states at once, bytes once a second, one write at a time.
///
/// That a write fails costs what `queue` shows, not the download. That one is refused means that the item is no longer the
/// worker's: somebody paused it, or gave it to another.
final class ItemRecorder: Sendable {
  private struct State {
    var note = ItemTable.Note()
    var hasNews = false
    var isWriting = false
    var writer: Task<Void, Never>?
    var lastWrite: Duration?
    var isLost = false
    var wasPlaced = false
  }

  /// Between two writes that tell of bytes only.
  static let pause = Duration.seconds(1)

  private let store: StateStore
  private let number: Int64
  private let attempt: Int
  private let waiting: Waiting
  private let takesTitle: Bool
  private let state = Mutex(State())

  /// A recorder of the worker that has `attempt` at the item `number`.
  ///
  /// - Parameter takesTitle: Whether the title in the file is the item's; the name that a server gives it is better.
  init(
    _ store: StateStore, _ number: Int64, attempt: Int, takesTitle: Bool = true,
    waiting: Waiting = .system
  ) {
    self.takesTitle = takesTitle
    self.store = store
    self.number = number
    self.attempt = attempt
    self.waiting = waiting
  }

  /// Whether it was decided where the file will be.
  var wasPlaced: Bool { state.withLock { $0.wasPlaced } }

  /// Whether the item was found to be somebody else's.
  var isLost: Bool { state.withLock { $0.isLost } }

  /// Takes in what happened; soon back, from any thread.
  func note(_ event: DownloadEvent) {
    // Looked for before the download makes them.
    let folders: [String] =
      if case .placed(let url) = event { ItemFiles.missingFolders(above: url.path) } else { [] }
    let now = waiting.now()
    state.withLock { state in
      let isUrgent = Self.apply(event, folders, to: &state.note)
      if !takesTitle { state.note.title = nil }
      guard let isUrgent else { return }
      if case .placed = event { state.wasPlaced = true }
      state.hasNews = true
      let isDue = state.lastWrite.map { now - $0 >= Self.pause } ?? true
      guard isUrgent || isDue, !state.isWriting else { return }
      state.isWriting = true
      state.writer = Task { await write() }
    }
  }

  /// Changes the note; says whether that is to be written at once, `nil` when nothing is.
  private static func apply(
    _ event: DownloadEvent, _ folders: [String], to note: inout ItemTable.Note
  ) -> Bool? {
    switch event {
    case .inspected(let inspection):
      note.title = inspection.inventory.title
      note.expectedByteCount = inspection.selection.size.byteCount
      return false
    case .placed(let url):
      note.path = url.path
      note.folders += folders
      return true
    case .phase(let phase):
      guard let state = ItemState(phase) else { return nil }
      note.state = state
      return true
    case .progress(let progress):
      note.byteCount = max(note.byteCount ?? 0, progress.bytes)
      note.expectedByteCount = progress.total ?? note.expectedByteCount
      return false
    case .skipped(let path, _):
      note.path = path.path
      return true
    case .warning, .overBudget, .spaceNeeded: return nil
    }
  }

  private func write() async {
    while true {
      let now = waiting.now()
      let note: ItemTable.Note? = state.withLock { state in
        // Folders that were made lie there whosever the item is now: whoever removes it has to know them.
        guard state.hasNews, !state.isLost || !state.note.folders.isEmpty else {
          state.isWriting = false
          return nil
        }
        state.hasNews = false
        state.lastWrite = now
        defer { state.note.folders = [] }
        return state.note
      }
      guard let note else { return }
      let (number, attempt) = (number, attempt)
      let isOurs = try? await store.write {
        try ItemTable.note(note, of: number, attempt: attempt, in: $0)
      }
      if isOurs == false { state.withLock { $0.isLost = true } }
    }
  }

  /// Waits for what is being written, and writes how the worker leaves the item.
  ///
  /// - Returns: False when the item was no longer the worker's.
  func end(_ ending: ItemTable.Ending, byteCount: Int64? = nil) async throws -> Bool {
    await flush()
    let (number, attempt) = (number, attempt)
    return try await store.write { connection in
      let isOurs = try ItemTable.end(ending, of: number, attempt: attempt, in: connection)
      if isOurs, let byteCount {
        try ItemTable.setByteCount(byteCount, of: number, in: connection)
      }
      return isOurs
    }
  }

  /// Writes what was told so far.
  func flush() async {
    let writer: Task<Void, Never>? = state.withLock { state in
      if !state.isWriting, state.hasNews {
        state.isWriting = true
        state.writer = Task { await write() }
      }
      return state.writer
    }
    await writer?.value
  }

  /// Ends when the item is no longer the worker's; looks whenever somebody changed the database.
  ///
  /// - Throws: `CancellationError`.
  func untilLost() async throws {
    var stamp = store.stamp
    var looks = 0
    while !isLost {
      try await waiting.sleep(.milliseconds(250))
      let now = store.stamp
      looks += 1
      // Times of files are coarse: two changes may look like one.
      if now == stamp, looks % 16 != 0 { continue }
      stamp = now
      let (number, attempt) = (number, attempt)
      let has = try? await store.read { try ItemTable.has(number, attempt: attempt, in: $0) }
      if has == .some(.some(false)) { state.withLock { $0.isLost = true } }
    }
  }
}
