import CLinux
import Glibc

/// What a file system has left, and what it lets names be.
package struct FileSystem: Sendable, Hashable {
  /// The number that tells it from others while it is mounted.
  package let device: UInt64
  /// The bytes that this user may still write.
  package let freeByteCount: Int64
  /// How many files this user may still make; `nil` when it makes room for them as it goes.
  package let freeFileCount: Int64?

  /// A file system of the given facts.
  package init(device: UInt64, freeByteCount: Int64, freeFileCount: Int64?) {
    self.device = device
    self.freeByteCount = freeByteCount
    self.freeFileCount = freeFileCount
  }

  /// The file system that holds `path`, see `statvfs(3)`.
  package static func of(_ path: String) throws -> FileSystem {
    var facts = statvfs()
    try OwnedDescriptor.retrying("statvfs", path) { statvfs(path, &facts) }
    var place = stat()
    try OwnedDescriptor.retrying("stat", path) { stat(path, &place) }
    let (free, overflow) = UInt64(facts.f_bavail).multipliedReportingOverflow(
      by: UInt64(facts.f_frsize))
    return FileSystem(
      device: UInt64(place.st_dev), freeByteCount: overflow ? .max : Int64(clamping: free),
      freeFileCount: facts.f_files == 0 ? nil : Int64(clamping: facts.f_favail))
  }

  /// Why nothing more can be written beside `path`; `nil` when something can.
  ///
  /// For those who were told of a failure without its reason. A block is written into a file without a name to find out; `nil`
  /// where the file system has no such files.
  package static func obstacle(toWritingBeside path: String) -> SystemCallError? {
    let folder = AtomicFile.folder(of: path)
    do throws(SystemCallError) {
      let number = try OwnedDescriptor.retrying("open", folder) { silo_open_nameless(folder) }
      defer { close(number) }
      let block = [UInt8](repeating: 1, count: 4096)
      try OwnedDescriptor.retrying("write", folder) { write(number, block, block.count) }
      try OwnedDescriptor.retrying("fsync", folder) { fsync(number) }
      return nil
    } catch {
      return [EOPNOTSUPP, EISDIR, EINVAL].contains(error.errno) ? nil : error
    }
  }

  /// The longest name in bytes that the folder takes, see `pathconf(3)`; `nil` when it does not say.
  package static func nameByteLimit(of folder: String) -> Int? {
    let limit = pathconf(folder, Int32(_PC_NAME_MAX))
    return limit > 0 ? limit : nil
  }

  /// The bytes of the disk that the file at `path` occupies; 0 when there is none.
  package static func allocatedByteCount(of path: String) -> Int64 {
    var facts = stat()
    guard lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return 0 }
    return Int64(facts.st_blocks) * 512
  }
}
