import Foundation
import SiloStore
import SiloSystem

extension OfflineLibrary {
  /// What downloads take, item by item, and what is left over of none.
  ///
  /// Looks at files and folders, and reads none.
  ///
  /// - Throws: `DownloadError` when the state cannot be read.
  public func storage() async throws -> StorageUse {
    let entries = try await entries()
    let found: Rows? = try await queue.read { connection in
      let beside = SidecarUse(
        sidecars: try SidecarTable.sidecars(in: connection),
        madeFolders: try ItemTable.madeFolders(in: connection))
      return Rows(
        items: try ItemTable.items(in: connection).filter { !$0.isDamaged },
        places: try UnfinishedFileTable.paths(in: connection),
        begun: try UnfinishedFileTable.allPaths(in: connection), beside: beside)
    }
    guard let rows = found ?? nil else { return StorageUse(freeByteCount: Self.freeByteCount([])) }
    return try await onOwnThread(named: "storage") { _ in use(entries, rows) }
  }

  /// What the state knows of the disk.
  private struct Rows: Sendable {
    var items: [QueueItem]
    /// The outputs beside which something lies, by the item that it is of.
    var places: [Int64: [String]]
    /// All outputs that were begun, of whatever item.
    var begun: [String]
    var beside: SidecarUse
  }

  private func use(_ entries: [LibraryEntry], _ rows: Rows) -> StorageUse {
    var use = StorageUse()
    let sidecars = rows.beside.byteCounts(of: entries.map(\.url.path))
    let finished = Set(entries.map(\.id))
    let beside = rows.places.mapValues { paths in
      paths.reduce(Int64(0)) { $0 + ItemFiles.usedByteCount(beside: $1) }
    }
    for entry in entries {
      use.items.append(
        StorageUse.Item(
          id: entry.id, source: entry.source, title: entry.title,
          state: entry.condition.rawValue, path: entry.url.path,
          byteCount: ItemFiles.usedByteCount(of: entry) + beside[entry.number, default: 0]
            + sidecars[entry.url.path, default: 0]))
    }
    for item in rows.items where queue.isSeen(item) {
      let taken = beside[item.number, default: 0]
      if item.state.isRunning, let expected = item.expectedByteCount {
        use.reserve(max(0, expected - taken))
      }
      guard !finished.contains(item.id), taken > 0 || item.state.isRunning,
        let path = item.path ?? rows.places[item.number]?.first
      else { continue }
      use.items.append(
        StorageUse.Item(
          id: item.id, source: item.source, title: item.title, state: item.state.rawValue,
          path: path, byteCount: taken))
    }
    use.items.sort { (Int64($0.id) ?? 0) < (Int64($1.id) ?? 0) }
    use.byteCount = use.items.reduce(0) { $0 + $1.byteCount }
    use.freeByteCount = Self.freeByteCount(use.items)
    let known = rows.items.compactMap(\.path) + rows.begun
    // Whoever runs may have begun a moment ago.
    let running = rows.items.filter(\.state.isRunning).compactMap(\.path)
    use.orphans = Self.orphans(
      besides: Set(rows.places.values.joined()).union(running),
      in: Set((known + entries.map(\.url.path)).map(AtomicFile.folder(of:))))
    use.orphans += rows.beside.orphans(
      of: Set(entries.map(\.url.path) + rows.items.compactMap(\.path)), running: running)
    use.orphans.sort { $0.path < $1.path }
    return use
  }

  /// The free bytes of the disk that the newest item lies on, else of the current folder.
  private static func freeByteCount(_ items: [StorageUse.Item]) -> Int64? {
    let newest = items.last?.path ?? DownloadJob.currentFolder.path + "/file"
    return DiskSpace.fileSystem(beside: URL(filePath: newest))?.freeByteCount
  }

  /// What lies in `folders` beside outputs that are none of `wanted`.
  private static func orphans(
    besides wanted: Set<String>, in folders: Set<String>
  ) -> [StorageUse.Orphan] {
    var orphans: [StorageUse.Orphan] = []
    for folder in folders.sorted() {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      for name in names.sorted() {
        guard let suffix = ItemFiles.suffixes.first(where: name.hasSuffix),
          !wanted.contains(folder + "/" + name.dropLast(suffix.count))
        else { continue }
        let path = folder + "/" + name
        // Somebody else's partial has no journal.
        let isPart = suffix == ".part" || suffix == ".source.part"
        guard !isPart || names.contains(name + ".journal") || names.contains(name + ".lock")
        else { continue }
        orphans.append(
          StorageUse.Orphan(path: path, byteCount: DiskSpace.used(by: URL(filePath: path))))
      }
    }
    return orphans
  }
}

extension ItemFiles {
  /// What lies beside an output while it is made; the longer ones first.
  static let suffixes = [
    ".source.part.journal-live", ".source.part.journal", ".source.part", ".part.journal-live",
    ".part.journal", ".part.finished", ".part.lock", ".part", ".parts",
  ]

  /// The bytes of the disk that the file of `entry` takes; 0 for what is no file.
  static func usedByteCount(of entry: LibraryEntry) -> Int64 {
    entry.condition == .missing ? 0 : FileSystem.allocatedByteCount(of: entry.url.path)
  }

  /// The bytes of the disk that what lies beside the output `path` while it is made takes.
  static func usedByteCount(beside path: String) -> Int64 {
    suffixes.reduce(0) { $0 + DiskSpace.used(by: URL(filePath: path + $1)) }
  }
}
