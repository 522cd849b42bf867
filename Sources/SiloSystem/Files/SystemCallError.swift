import Glibc

/// A call of the operating system that failed.
package struct SystemCallError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name of the call.
  package let call: String
  /// Its `errno`.
  package let errno: Int32
  /// The path it was about; `nil` when it was about none.
  package let path: String?

  /// A failure of `call`; `errno` is that of the thread unless given.
  package init(call: String, errno: Int32 = Glibc.errno, path: String? = nil) {
    self.call = call
    self.errno = errno
    self.path = path.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Whether the disk, or the user's share of it, is full.
  package var isOutOfSpace: Bool { errno == ENOSPC || errno == EDQUOT }
  /// Whether it is the user's share of the disk that is full, and not the disk.
  package var isOverQuota: Bool { errno == EDQUOT }
  /// Whether the file would be larger than the file system, or the limit of the process, lets files be.
  package var isTooLarge: Bool { errno == EFBIG }
  /// Whether the file system takes no writes at all.
  package var isReadOnly: Bool { errno == EROFS }
  /// Whether it is a matter of permissions.
  package var isForbidden: Bool { errno == EACCES || errno == EPERM }
  /// Whether a name is longer than its folder takes.
  package var isNameTooLong: Bool { errno == ENAMETOOLONG }
  /// Whether the file or folder is not there.
  package var isNotFound: Bool { errno == ENOENT || errno == ENOTDIR }
  /// Whether something is there already.
  package var isExisting: Bool { errno == EEXIST }

  /// What the number means, in words.
  package static func reason(_ errno: Int32) -> String {
    switch errno {
    case ESPIPE: "This is no regular file"
    case EMFILE: "Too many open files; raise the limit (ulimit -n)"
    default: String(cString: strerror(errno))
    }
  }

  /// "open /x/y: No such file or directory".
  package var description: String {
    let reason = Self.reason(errno)
    return if let path { "\(call) \(Redaction.printable(path)): \(reason)" } else {
      "\(call): \(reason)"
    }
  }
}
