import Foundation
import SiloSystem

/// Bytes on disk.
enum DiskSpace {
  /// The file system that `url` will be on; `nil` when it does not tell.
  static func fileSystem(beside url: URL) -> FileSystem? {
    try? FileSystem.of(nearestFolder(of: url))
  }

  /// The longest name in bytes that the folder of `url` takes; the usual 255 when it does not tell.
  static func nameByteLimit(beside url: URL) -> Int {
    FileSystem.nameByteLimit(of: nearestFolder(of: url)) ?? 255
  }

  /// The folder may have to be made yet: its nearest ancestor is on the same file system.
  private static func nearestFolder(of url: URL) -> String {
    var folder = url.deletingLastPathComponent()
    while !FileManager.default.fileExists(atPath: folder.path), folder.path != "/" {
      folder.deleteLastPathComponent()
    }
    return folder.path
  }

  /// The bytes of the disk that a file, or the files in a folder, occupy; 0 when there is none.
  ///
  /// Blocks that are reserved count, for they are not free any more, and holes do not: this is neither a length nor a progress.
  static func used(by url: URL) -> Int64 {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
    let paths = names.isEmpty ? [url.path] : names.map { url.path + "/" + $0 }
    return paths.reduce(0) { $0 + FileSystem.allocatedByteCount(of: $1) }
  }
}
