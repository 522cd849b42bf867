import Glibc

/// Length, time and identity of a file, as `stat(2)` has them.
struct FileFacts: Hashable, Sendable {
  /// The length in bytes.
  var byteCount: Int64
  /// When its bytes were last changed, in nanoseconds since 1970.
  var modified: Int64
  /// The number of its file system, and its own on it.
  var device: UInt64, number: UInt64

  /// The facts of the regular file at `path`, links followed; `nil` when there is none.
  init?(_ path: String) {
    var facts = stat()
    guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
    byteCount = Int64(facts.st_size)
    modified = Int64(facts.st_mtim.tv_sec) * 1_000_000_000 + Int64(facts.st_mtim.tv_nsec)
    (device, number) = (UInt64(facts.st_dev), UInt64(facts.st_ino))
  }
}
