import Foundation
import SiloStore
import SiloSystem

extension OfflineLibrary {
  /// What lies beside an entry for its sake, its own first; looks at lengths and times only.
  ///
  /// - Throws: `DownloadError` when the state cannot be read.
  public func sideFiles(of entry: LibraryEntry) async throws -> [SideFile] {
    let path = entry.url.path
    let sidecars = try await queue.read { connection in
      try SidecarTable.sidecars(of: .file(path), in: connection)
        + SidecarTable.shared(by: path, in: connection)
    }
    return try await onOwnThread(named: "sidecar") { _ in (sidecars ?? []).map(SideFile.init) }
  }

  /// Removes what lies beside the file at `path` for its sake; of a series, with its last episode.
  ///
  /// What somebody changed is kept.
  ///
  /// - Parameter isOwner: Whether the file at `path` is that of the item.
  /// - Returns: The bytes of the disk that are free again.
  func removeSidecars(
    of item: QueueItem, at path: String, isOwner: Bool
  ) async throws -> Int64 {
    let found = try await queue.read { try SidecarTable.sidecars(of: .file(path), in: $0) }
    let own = isOwner ? found ?? [] : []
    var freed = try await remove(own)
    let number = item.number
    let shared = try await queue.read { connection in
      let all = try SidecarTable.shared(by: path, in: connection)
      let folders = Set(all.map { String($0.owner.dropLast()) })
      return try (
        all,
        folders.filter {
          try !SidecarTable.isFolderOfOthers($0, than: number, at: path, in: connection)
        }
      )
    }
    guard let (all, folders) = shared else { return freed }
    for folder in folders.sorted() {
      // Whoever brings another episode just now needs them.
      guard let lock = try ItemLock.take(besides: folder + "/", in: queue.home) else { continue }
      freed += try await remove(all.filter { $0.owner == folder + "/" })
      try await onOwnThread(named: "remove") { _ in
        for path in SidecarDisk.beingWritten(inSeries: folder) { AtomicFile.remove(path) }
      }
      lock.release()
    }
    return freed
  }

  private func remove(_ sidecars: [Sidecar]) async throws -> Int64 {
    guard !sidecars.isEmpty else { return 0 }
    let freed = try await onOwnThread(named: "remove") { _ in
      var freed: Int64 = 0
      for sidecar in sidecars where sidecar.isStill(FileFacts(sidecar.path)) {
        freed += Self.byteCount(freedByRemoving: sidecar.path)
        AtomicFile.remove(sidecar.path)
      }
      return freed
    }
    try await queue.change { try SidecarTable.forget(sidecars.map(\.path), in: $0) }
    return freed
  }

  /// None while the file has another name, such as one that `library export` gave it.
  private static func byteCount(freedByRemoving path: String) -> Int64 {
    var facts = stat()
    guard lstat(path, &facts) == 0, facts.st_nlink == 1 else { return 0 }
    return FileSystem.allocatedByteCount(of: path)
  }
}

extension SidecarDisk {
  /// What a killed run was writing beside the media at `path`.
  static func beingWritten(beside path: String) -> [String] {
    let stem = SidecarPlan.stem(of: path)
    return beingWritten(in: AtomicFile.folder(of: path)) { name in
      // Another film's name may begin with the whole of this one's.
      name.hasPrefix(stem) && ["-", "."].contains(name.dropFirst(stem.count).first)
    }
  }

  /// What a killed run was writing in the folder of a series for all of its episodes.
  static func beingWritten(inSeries folder: String) -> [String] {
    beingWritten(in: folder) { name in
      ["tvshow.nfo", "poster.", "fanart.", "clearlogo."].contains(where: name.hasPrefix)
    }
  }

  private static func beingWritten(in folder: String, _ isOurs: (String) -> Bool) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { name in
      name.hasSuffix(Sidecar.writing) && isOurs(name)
        && Sidecar.isName(String(name.dropLast(Sidecar.writing.count)))
    }.map { folder + "/" + $0 }.sorted()
  }
}
