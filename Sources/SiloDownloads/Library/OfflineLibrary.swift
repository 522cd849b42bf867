public import SiloMedia
import SiloStore
import SiloSystem

public import struct Foundation.URL

/// What is stored: listed, shown, proven, removed, all without network.
public struct OfflineLibrary: Sendable {
  var queue: DownloadQueue
  /// Who is signed in; see `DownloadQueue`.
  package var owner: String? {
    get { queue.owner }
    set { queue.owner = newValue }
  }
  var store: StateStore { queue.store }

  /// The library of the state in `home`; see `DownloadQueue.init`.
  public init(home: URL? = nil) { queue = DownloadQueue(home: home) }

  /// What the user should be told of the state: that a damaged one was set aside.
  public func warnings() -> [String] { queue.warnings() }

  /// All entries, the oldest first.
  ///
  /// Looks at each file's length and time, and reads none.
  ///
  /// - Throws: `DownloadError` when the state cannot be read.
  public func entries() async throws -> [LibraryEntry] {
    let all = try await allEntries()
    return all.filter { owner == nil || $0.owner == nil || $0.owner == owner }
  }

  private func allEntries() async throws -> [LibraryEntry] {
    let found: ([LibraryEntry], Bool)? = try await queue.read { connection in
      let isWhole = try LibraryTable.isWhole(in: connection)
      return (try LibraryTable.entries(in: connection), isWhole)
    }
    guard let (entries, isWhole) = found, !isWhole else { return found?.0 ?? [] }
    // Finished by a program that knew no ids, or could not write them: they get one now, if that can be written.
    do {
      return try await queue.change { connection in
        try LibraryTable.adopt(in: connection)
        return try LibraryTable.entries(in: connection)
      }
    } catch { return entries }
  }

  /// The entry `id`; `nil` when there is none, as of an item that is not finished.
  public func entry(_ id: String) async throws -> LibraryEntry? {
    try await entries().first { $0.id == id }
  }

  /// The entries `ids`, or all without any.
  ///
  /// - Throws: `DownloadError.notFound` that names an id which is not there.
  public func entries(_ ids: [String]) async throws -> [LibraryEntry] {
    let all = try await entries()
    if ids.isEmpty { return all }
    let known = Dictionary(all.map { ($0.id, $0) }) { first, _ in first }
    return try ids.map { id in
      guard let entry = known[id] else { throw DownloadQueue.unknown(id) }
      return entry
    }
  }

  /// What is in the stored file, read from the file itself; a few milliseconds.
  ///
  /// - Throws: `MediaError`; `DownloadError.notFound` for a file that is missing.
  public func inventory(of entry: LibraryEntry) async throws -> MediaInventory {
    try await onOwnThread(named: "state") { _ in try entry.requireFile() }
    return try await MediaInventory.probe(.file(entry.url))
  }

  /// Compares the file with what was stored, to the last byte, and walks its container; see `StoredFile.verify`.
  public func verify(
    _ entry: LibraryEntry,
    progress: @escaping @Sendable (_ byteCount: Int64, _ total: Int64) -> Void = { _, _ in }
  ) async throws -> StoredFileReport {
    let missing = try await onOwnThread(named: "state") { _ -> String? in
      do {
        try entry.requireFile()
        return nil
      } catch { return (error as? DownloadError)?.message }
    }
    if let missing { return StoredFileReport(faults: [StoredFileFault(.missing, missing)]) }
    return try await StoredFile(entry.url, byteCount: entry.byteCount, sha256: entry.sha256)
      .verify(progress: progress)
  }
}
