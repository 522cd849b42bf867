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
    /// What was left lying, a sentence each.
    public var warnings: [String] = []
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
      let items = try queue.items(ids, in: connection, leavingOutGone: true)
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
      removals.append(try await remove(item))
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

  private func remove(_ item: QueueItem) async throws -> Removal {
    let files = ItemFiles(item, home: queue.home)
    try await files.waitForWorker()
    var removal = Removal(item: item, freedByteCount: 0)
    let record = try await queue.read { try LibraryTable.record(of: item, in: $0) } ?? nil
    if let record { try await remove(record, &removal) }
    removal.freedByteCount += try await files.removeUnfinished(from: store)
    if !item.isDamaged, let path = record?.path ?? item.path {
      removal.freedByteCount += try await removeSidecars(
        of: item, at: path, isOwner: record != nil)
      try await ItemFiles.removeEmptyFolders(above: path, from: store)
    }
    try await queue.change { try LibraryTable.forget(item, in: $0) }
    return removal
  }

  /// Removes a finished file; what is no file any more is somebody else's and stays.
  private func remove(_ record: FinishedFile, _ removal: inout Removal) async throws {
    let path = record.path
    let (freed, isKept) = try await onOwnThread(named: "remove") { _ in
      FinishedFileNote(of: URL(filePath: path)).remove()
      var entry = stat()
      guard lstat(path, &entry) == 0 else {
        let error = SystemCallError(call: "lstat", path: path)
        // Of a folder that cannot be looked into nobody knows whether it is there.
        guard error.isNotFound else { throw DownloadError(writing: error) }
        return (Int64(0), false)
      }
      guard [S_IFREG, S_IFLNK].contains(entry.st_mode & S_IFMT) else { return (0, true) }
      let freed = entry.st_nlink == 1 ? FileSystem.allocatedByteCount(of: path) : 0
      if unlink(path) != 0, errno != ENOENT {
        throw DownloadError(writing: SystemCallError(call: "unlink", path: path))
      }
      try? AtomicFile.synchronizeFolder(AtomicFile.folder(of: path))
      return (freed, false)
    }
    removal.freedByteCount += freed
    if isKept {
      removal.warnings.append(
        "\(Redaction.printable(path)) is no file any more, and not from here; it is kept")
    }
  }
}
