import Foundation
import SiloStore
import SiloSystem

/// What an item has on the disk.
struct ItemFiles: Sendable {
  let number: Int64
  /// The finished file, or where it will be.
  let path: String?
  let home: String

  init(_ item: QueueItem, home: String) {
    number = item.number
    path = item.isDamaged ? nil : item.path
    self.home = home
  }

  /// Whether something of the item may be on the disk, or a worker may just be making it.
  func mayBeThere(in connection: borrowing Connection) throws -> Bool {
    try !UnfinishedFileTable.begun(of: number, in: connection).isEmpty
      || ItemLock.isHeld(number, in: home)
  }

  /// How long somebody who was told to stop may take.
  static let patience = Duration.seconds(10)

  /// Removes what arrived of an item that nobody wants any more, when its worker has stopped.
  ///
  /// What another item makes at the same path is left alone.
  ///
  /// - Returns: The bytes of the disk that are free again.
  @discardableResult
  func removeUnfinished(from store: StateStore, waiting: Waiting = .system) async throws -> Int64 {
    try await waitForWorker(waiting)
    let number = number
    let paths = try await store.read { try UnfinishedFileTable.paths(of: number, in: $0) } ?? []
    var freed: Int64 = 0
    for path in paths {
      freed += try await onOwnThread(named: "remove") { _ in
        let before = Self.usedByteCount(beside: path)
        try Self.removeSideFiles(of: path)
        return max(0, before - Self.usedByteCount(beside: path))
      }
    }
    if !paths.isEmpty {
      try await store.write { try UnfinishedFileTable.forget(of: number, in: $0) }
    }
    for path in Set(paths + [path].compactMap { $0 }).sorted() {
      try await Self.removeEmptyFolders(above: path, from: store)
    }
    return freed
  }

  /// Waits until no worker has the item.
  ///
  /// - Throws: `DownloadError.locked` when it does not stop.
  func waitForWorker(_ waiting: Waiting = .system) async throws {
    let end = waiting.now() + Self.patience
    while ItemLock.isHeld(number, in: home) {
      guard waiting.now() < end else {
        throw DownloadError(
          .locked, "Its download does not stop; what arrived of it is kept for now.",
          subject: "item \(number)")
      }
      try await waiting.sleep(.milliseconds(50))
    }
  }

  /// Removes the partial, its journals and spools, unless somebody makes that file.
  static func removeSideFiles(of path: String) throws {
    let url = URL(filePath: path, directoryHint: .notDirectory)
    guard FileManager.default.fileExists(atPath: AtomicFile.folder(of: path)) else { return }
    let lock = try OutputLock.take(path + ".part.lock", of: path, by: "queue")
    SideFiles.clear(beside: url, ofOurs: lock.isLeftOver)
    for path in SidecarDisk.beingWritten(beside: path) { AtomicFile.remove(path) }
    lock.release()
  }

  /// Removes the folders above `path` that are empty and were made for a download, from the innermost on.
  static func removeEmptyFolders(above path: String, from store: StateStore) async throws {
    let start = try await onOwnThread(named: "remove") { _ in firstThere(above: path) }
    let ours =
      try await store.read { connection -> [String] in
        let all = try ItemTable.madeFolders(above: path, in: connection)
        return try all
          + ItemTable.madeFolders(above: start, in: connection).filter { !all.contains($0) }
      } ?? []
    guard !ours.isEmpty else { return }
    let removed = try await onOwnThread(named: "remove") { _ in
      ours.prefix { rmdir($0) == 0 || errno == ENOENT }.map { $0 }
    }
    guard !removed.isEmpty else { return }
    try await store.write { try ItemTable.forget(folders: removed, in: $0) }
  }

  /// The outermost path on the way to `path` whose folder is there: what an earlier step removed is known no more, and must not
  /// end the way up.
  private static func firstThere(above path: String) -> String {
    missingFolders(above: path).first ?? path
  }

  /// The folders that have to be made for a file at `path`, the outermost first.
  static func missingFolders(above path: String) -> [String] {
    var missing: [String] = []
    var folder = AtomicFile.folder(of: path)
    while folder != "/", folder != ".", !FileManager.default.fileExists(atPath: folder) {
      missing.append(folder)
      folder = AtomicFile.folder(of: folder)
    }
    return missing.reversed()
  }
}
