import Foundation
import SiloSystem

/// What files beside media take, and which of them belong to nothing.
struct SidecarUse: Sendable {
  /// All that were written here.
  let sidecars: [Sidecar]
  /// All folders that were made for downloads.
  let madeFolders: [String]

  /// The bytes of the disk that lie beside each of `paths`; those of a series count for its first file.
  func byteCounts(of paths: [String]) -> [String: Int64] {
    var counts: [String: Int64] = [:]
    let known = Set(paths)
    var firsts: [String: String] = [:]
    for path in paths {
      for folder in Self.folders(above: path) where firsts[folder] == nil { firsts[folder] = path }
    }
    for sidecar in sidecars where sidecar.isStill(FileFacts(sidecar.path)) {
      let owner =
        sidecar.owner.hasSuffix("/")
        ? firsts[String(sidecar.owner.dropLast())]
        : known.contains(sidecar.owner) ? sidecar.owner : nil
      guard let owner else { continue }
      counts[owner, default: 0] += FileSystem.allocatedByteCount(of: sidecar.path)
    }
    return counts
  }

  /// Files in the folders that were made here which have names of files beside media, and no media.
  ///
  /// - Parameters:
  ///   - paths: The files of all items.
  ///   - running: Those that are being made.
  func orphans(of paths: Set<String>, running: [String]) -> [StorageUse.Orphan] {
    let stems = Dictionary(grouping: paths, by: AtomicFile.folder(of:)).mapValues {
      $0.map(SidecarPlan.stem(of:))
    }
    let needed = Set(paths.flatMap(Self.folders(above:)))
    let isRunning = Set(running.map(AtomicFile.folder(of:)))
    let folders = Set(madeFolders).union(stems.keys)
    let made = Set(madeFolders)
    return folders.sorted().flatMap { folder -> [StorageUse.Orphan] in
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      let isNeeded = needed.contains(folder)
      let found = names.filter { name in
        guard Sidecar.isName(name), FileFacts(folder + "/" + name) != nil else { return false }
        if name.hasSuffix(Sidecar.writing) { return !isRunning.contains(folder) }
        guard made.contains(folder) else { return false }
        let isBare = Self.bareNames.contains(where: name.hasPrefix)
        if isBare, isNeeded { return false }
        return !(stems[folder] ?? []).contains(where: name.hasPrefix)
      }
      return found.sorted().map { name in
        let path = folder + "/" + name
        return StorageUse.Orphan(path: path, byteCount: FileSystem.allocatedByteCount(of: path))
      }
    }
  }

  private static func folders(above path: String) -> [String] {
    var folders: [String] = []
    var folder = AtomicFile.folder(of: path)
    while folder != "/", folder != "." {
      folders.append(folder)
      folder = AtomicFile.folder(of: folder)
    }
    return folders
  }

  private static let bareNames = ["tvshow.nfo", "poster.", "fanart.", "clearlogo."]
}
