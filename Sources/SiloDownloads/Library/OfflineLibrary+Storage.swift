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
    let found: ([QueueItem], [String], SidecarUse)? = try await queue.read { connection in
      let rows = try connection.rows("SELECT path FROM unfinished_file")
      let paths = rows.compactMap { row in
        if case .text(let path)? = row.first { path } else { String?.none }
      }
      let beside = SidecarUse(
        sidecars: try SidecarTable.sidecars(in: connection),
        madeFolders: try ItemTable.madeFolders(in: connection))
      return (try ItemTable.items(where: "path IS NOT NULL", in: connection), paths, beside)
    }
    let (items, unfinished, beside) =
      found ?? ([], [], SidecarUse(sidecars: [], madeFolders: []))
    return try await onOwnThread(named: "storage") { _ in
      use(entries, items.filter { !$0.isDamaged }, unfinished, beside)
    }
  }

  private func use(
    _ entries: [LibraryEntry], _ items: [QueueItem], _ unfinished: [String], _ beside: SidecarUse
  ) -> StorageUse {
    var use = StorageUse()
    let sidecars = beside.byteCounts(of: entries.map(\.url.path))
    let finished = Set(entries.map(\.id))
    for entry in entries {
      use.items.append(
        StorageUse.Item(
          id: entry.id, source: entry.source, title: entry.title,
          state: entry.condition.rawValue, path: entry.url.path,
          byteCount: ItemFiles.usedByteCount(of: entry.url.path, isFinished: true)
            + sidecars[entry.url.path, default: 0]))
    }
    for item in items
    where !finished.contains(item.id) && item.state != .cancelled && queue.isSeen(item) {
      guard let path = item.path else { continue }
      let taken = ItemFiles.usedByteCount(of: path, isFinished: false)
      if item.state.isRunning, let expected = item.expectedByteCount {
        use.reservedByteCount += max(0, expected - taken)
      }
      if taken == 0, !item.state.isRunning { continue }
      use.items.append(
        StorageUse.Item(
          id: item.id, source: item.source, title: item.title, state: item.state.rawValue,
          path: path, byteCount: taken))
    }
    use.items.sort { (Int64($0.id) ?? 0) < (Int64($1.id) ?? 0) }
    use.byteCount = use.items.reduce(0) { $0 + $1.byteCount }
    let newest = use.items.last?.path ?? DownloadJob.currentFolder.path + "/file"
    use.freeByteCount = DiskSpace.fileSystem(beside: URL(filePath: newest))?.freeByteCount
    let wanted = items.filter { $0.state != .finished && $0.state != .cancelled }.compactMap(\.path)
    use.orphans = Self.orphans(
      besides: Set(wanted + unfinished),
      in: Set((items.compactMap(\.path) + unfinished).map(AtomicFile.folder(of:))))
    use.orphans += beside.orphans(
      of: Set(entries.map(\.url.path) + items.compactMap(\.path)),
      running: items.filter(\.state.isRunning).compactMap(\.path))
    use.orphans.sort { $0.path < $1.path }
    return use
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

  /// The bytes of the disk that the file at `path` and what lies beside it for its sake take.
  static func usedByteCount(of path: String, isFinished: Bool) -> Int64 {
    let own = isFinished ? FileSystem.allocatedByteCount(of: path) : 0
    return suffixes.reduce(own) { $0 + DiskSpace.used(by: URL(filePath: path + $1)) }
  }
}
