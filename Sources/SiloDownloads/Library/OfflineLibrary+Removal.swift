import Foundation
import SiloStore
import SiloSystem

extension OfflineLibrary {
  /// What the removal of one item brought.
  public struct Removal: Sendable {
    /// The item as it was.
    public var item: QueueItem
    /// The bytes of the disk that are free again.
    public var freedByteCount: Int64
  }

  /// Removes items for good: what runs is stopped, the file and all that lies beside it for its sake go, and then the
  /// folders that were made for it and are empty.
  ///
  /// The row goes last: after a crash in between, the same call goes on.
  ///
  /// - Parameter force: Also a file that somebody changed since it was finished.
  /// - Throws: `DownloadError` `notFound` for an id that is not there and `config` for a file that was changed, with nothing
  ///   removed; `locked` when a download does not stop.
  public func remove(_ ids: [String], force: Bool = false) async throws -> [Removal] {
    _ = try await entries()
    let items = try await queue.change { connection in
      let items = try queue.items(ids, in: connection)
      for item in items where !force {
        try Self.requireOurs(item, try LibraryTable.record(of: item, in: connection))
      }
      for item in items where item.state != .finished && !item.isDamaged {
        try ItemTable.enter(.cancelled, item.number, in: connection)
      }
      return items
    }
    var removals: [Removal] = []
    for item in items {
      removals.append(Removal(item: item, freedByteCount: try await remove(item)))
    }
    return removals
  }

  /// Refuses the file of an item that is not the one that was finished any more.
  private static func requireOurs(_ item: QueueItem, _ record: FinishedFile?) throws {
    guard let record, let facts = FileFacts(record.path),
      facts.byteCount != record.byteCount || facts.modified != record.modified
    else { return }
    throw DownloadError(
      .config, "The file was changed since it was finished; it is kept. --force removes it.",
      subject: Redaction.printable(record.path))
  }

  private func remove(_ item: QueueItem) async throws -> Int64 {
    try await ItemFiles(item, home: queue.home).waitForWorker()
    var freed: Int64 = 0
    if !item.isDamaged, let path = item.path {
      let isFinished = try await queue.read { try LibraryTable.record(of: item, in: $0) } ?? nil
      freed = try await onOwnThread(named: "remove") { _ in
        try Self.removeFiles(of: path, isFinished: isFinished != nil)
      }
      freed += try await removeSidecars(of: item, at: path)
      try await ItemFiles.removeEmptyFolders(above: path, from: store)
    }
    try await queue.change { try LibraryTable.forget(item, in: $0) }
    return freed
  }

  private static func removeFiles(of path: String, isFinished: Bool) throws -> Int64 {
    let folder = URL(filePath: AtomicFile.folder(of: path), directoryHint: .isDirectory)
    let before = ItemFiles.usedByteCount(of: path, isFinished: isFinished)
    if isFinished, unlink(path) != 0, errno != ENOENT {
      throw DownloadError(writing: SystemCallError(call: "unlink", path: path))
    }
    guard FileManager.default.fileExists(atPath: folder.path) else { return 0 }
    try ItemFiles.removeSideFiles(of: path)
    FinishedFileNote(of: URL(filePath: path)).remove()
    try? AtomicFile.synchronizeFolder(folder.path)
    return max(0, before - ItemFiles.usedByteCount(of: path, isFinished: isFinished))
  }
}
