import Foundation

/// Bytes on disk.
enum DiskSpace {
  /// The free bytes of the file system that `url` will be on; `nil` when it does not tell.
  static func free(beside url: URL) -> Int64? {
    // The folder may have to be made yet: its nearest ancestor is on the same file system.
    var folder = url.deletingLastPathComponent()
    while !FileManager.default.fileExists(atPath: folder.path), folder.path != "/" {
      folder.deleteLastPathComponent()
    }
    let facts = try? FileManager.default.attributesOfFileSystem(forPath: folder.path)
    return (facts?[.systemFreeSize] as? NSNumber)?.int64Value
  }

  /// The bytes of a file, or of the files in a folder; 0 when there is none.
  static func used(by url: URL) -> Int64 {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
    let paths = names.isEmpty ? [url.path] : names.map { url.path + "/" + $0 }
    return paths.reduce(0) { sum, path in
      let facts = try? FileManager.default.attributesOfItem(atPath: path)
      guard facts?[.type] as? FileAttributeType == .typeRegular else { return sum }
      return sum + ((facts?[.size] as? NSNumber)?.int64Value ?? 0)
    }
  }
}
