import Foundation
import SiloSystem

/// Remembers which files were finished and verified, so that they are not fetched again and others are not overwritten.
struct FinishedFiles: Sendable {
  /// Where it is remembered.
  let store: StateStore

  /// The record of the file at `url`, if what lies there is still the file that was finished.
  func record(of url: URL) async throws -> FinishedFile? {
    let found = try await store.read { try FinishedFileTable.file(at: url.path, in: $0) }
    guard let file = found ?? nil else { return nil }
    let facts = try? await onOwnThread(named: "state") { _ in try Self.facts(of: url.path) }
    return facts.map { $0 == (file.byteCount, file.modified) } == true ? file : nil
  }

  /// Records the file that will be at `url` and is at `part` now; a rename changes neither length nor time.
  ///
  /// What only a rerun of its source would need is forgotten in the same transaction.
  func record(
    _ url: URL, from part: URL, sha256: String, source: String, selection: String
  ) async throws {
    try await store.write {
      let (byteCount, modified) = try Self.facts(of: part.path)
      try FinishedFileTable.store(
        FinishedFile(
          path: url.path, byteCount: byteCount, modified: modified, sha256: sha256,
          source: source, selection: selection), in: $0)
      try FirstSegmentTable.forget(source, in: $0)
      try SourceLookTable.forget(source, in: $0)
    }
  }

  private static func facts(of path: String) throws -> (byteCount: Int64, modified: Int64) {
    let file = try OwnedDescriptor.open(path, .read)
    return (try file.byteCount(), try file.modificationNanoseconds())
  }
}
