import Foundation
import SiloMedia
import SiloStore
import SiloSystem

/// Remembers which files were finished and verified, so that they are not fetched again and others are not overwritten.
///
/// In the database; while that cannot be written, in a note beside the file.
struct FinishedFiles: Sendable {
  /// Where it is remembered.
  let store: StateStore

  /// The record of the file at `url`, if what lies there is still the file that was finished.
  ///
  /// - Throws: What the database throws, unless there is a note.
  func record(of url: URL) async throws -> FinishedFile? {
    let (facts, noted) = try await onOwnThread(named: "state") { _ in
      (try? Self.facts(of: url.path), FinishedFileNote(of: url).read(of: url))
    }
    let isStill: (FinishedFile) -> Bool = { file in
      facts.map { $0 == (file.byteCount, file.modified) } == true
    }
    do {
      let found = try await store.read { try FinishedFileTable.file(at: url.path, in: $0) }
      if let file = found ?? nil, isStill(file) { return file }
    } catch {
      guard noted.map(isStill) == true else { throw error }
    }
    guard let noted, isStill(noted) else { return nil }
    // It may be writable again; then the note has done its work.
    do {
      try await store.write { try Self.store(noted.of(knownIn: $0), in: $0) }
      FinishedFileNote(of: url).remove()
    } catch {}
    return noted
  }

  /// Whether a file was finished at `url`, whatever lies there now.
  func isKnown(_ url: URL) async -> Bool {
    let found = try? await store.read { try FinishedFileTable.file(at: url.path, in: $0) }
    return found.flatMap { $0 } != nil
  }

  /// Whether a run before recorded the file of `job` and was killed before that took the place of the one before.
  func isAlmostNamed(_ job: DownloadJob) async -> Bool {
    let (path, part) = (job.place.url.path, job.part.path)
    let found = try? await store.read { try FinishedFileTable.file(at: path, in: $0) }
    guard let file = (found ?? nil) ?? nil, file.source == job.sourceName,
      let facts = FileFacts(part)
    else { return false }
    return facts.byteCount == file.byteCount && facts.modified == file.modified
  }

  /// Where the item of `job` was finished before below its folder; `nil` when it was not, or is not there any more.
  ///
  /// What its server calls it by now is no reason to fetch it again: it keeps the name that it got.
  func place(of job: DownloadJob) async -> URL? {
    guard job.request.shelf != nil, let item = job.request.registered?.anyRow,
      DownloadJob.isFolder(job.request.output)
    else { return nil }
    let folder = URL(
      filePath: job.request.output ?? ".", directoryHint: .isDirectory,
      relativeTo: DownloadJob.currentFolder
    ).standardizedFileURL.path
    let found = try? await store.read { try FinishedFileTable.paths(of: item, in: $0) }
    let paths = (found ?? nil) ?? []
    guard !paths.contains(job.place.url.path) else { return nil }
    let suffix = "." + job.place.url.pathExtension
    // A copy in another shelf that lies in this folder is another file.
    let depth = job.place.url.pathComponents.count
    return paths.first {
      $0.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/") && $0.hasSuffix(suffix)
        && URL(filePath: $0).pathComponents.count == depth && FileFacts($0) != nil
    }.map { URL(filePath: $0, directoryHint: .notDirectory) }
  }

  /// Records the file that will be at `url` and is at `part` now; a rename changes neither length nor time.
  ///
  /// What only a rerun of its source would need is forgotten in the same transaction.
  ///
  /// - Parameter item: The item that made it; `nil` when it is none.
  /// - Returns: Why the database could not be written, so that there is a note instead; `nil` when it was.
  /// - Throws: `SystemCallError` when there is neither.
  func record(
    _ url: URL, from part: URL, sha256: String, source: String, selection: String,
    by item: Int64?
  ) async throws -> (any Error)? {
    let file = try await onOwnThread(named: "state") { _ in
      let (byteCount, modified) = try Self.facts(of: part.path)
      return FinishedFile(
        path: url.path, byteCount: byteCount, modified: modified, sha256: sha256, source: source,
        selection: selection, item: item)
    }
    let note = FinishedFileNote(of: url)
    do {
      try await store.write { try Self.store(file, in: $0) }
    } catch {
      try await onOwnThread(named: "state") { _ in try note.write(file) }
      return error
    }
    note.remove()
    return nil
  }

  private static func store(_ file: FinishedFile, in connection: borrowing Connection) throws {
    try FinishedFileTable.store(file, in: connection)
    try FirstSegmentTable.forget(file.source, in: connection)
    try SourceLookTable.forget(file.source, in: connection)
    try UnfinishedFileTable.forget(file.path, in: connection)
  }

  private static func facts(of path: String) throws -> (byteCount: Int64, modified: Int64) {
    let file = try OwnedDescriptor.open(path, .read)
    return (try file.byteCount(), try file.modificationNanoseconds())
  }
}

extension FinishedFile {
  /// The same, of an item of this database and place only: what was noted beside a file may be of another one.
  fileprivate func of(knownIn connection: borrowing Connection) throws -> FinishedFile {
    guard let item else { return self }
    var known = self
    if try ItemTable.item(item, in: connection)?.path != path { known.item = nil }
    return known
  }
}
