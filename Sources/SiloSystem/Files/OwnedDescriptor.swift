import CLinux
package import Glibc

/// A file descriptor with one owner; closed when the owner goes.
package struct OwnedDescriptor: ~Copyable, Sendable {
  /// How a file is opened.
  package enum Mode: Sendable {
    /// To read what is there: a regular file, since a pipe that nobody writes to would be waited for for ever (`ESPIPE`).
    case read
    /// To read and write what is there.
    case update
    /// To read and write; made when missing.
    case create
    /// To read and write; refused when something is there (`EEXIST`).
    case createNew
  }

  /// The number that C calls take; valid while the owner lives.
  package private(set) var number: Int32
  /// The path it was opened with, for messages.
  package let path: String

  private init(adopting number: Int32, path: String) {
    self.number = number
    self.path = path
  }

  deinit {
    guard number >= 0 else { return }
    // Here and in `close`: a process that is being started holds a copy until it runs, and with it a lock.
    flock(number, LOCK_UN)
    Glibc.close(number)
  }

  /// Opens `path`, close-on-exec.
  ///
  /// - Parameter permissions: Of a file that is made, less the umask.
  package static func open(_ path: String, _ mode: Mode, permissions: mode_t = 0o644) throws
    -> OwnedDescriptor
  {
    let flags =
      switch mode {
      case .read: O_RDONLY | O_NONBLOCK | O_NOCTTY
      // What is written is a file of ours: never one that somebody's link points at.
      case .update: O_RDWR | O_NOFOLLOW
      case .create: O_RDWR | O_CREAT | O_NOFOLLOW
      case .createNew: O_RDWR | O_CREAT | O_EXCL
      }
    let number = try retrying("open", path) { Glibc.open(path, flags | O_CLOEXEC, permissions) }
    let descriptor = OwnedDescriptor(adopting: number, path: path)
    if mode == .read, try !descriptor.isRegularFile() {
      throw SystemCallError(call: "open", errno: ESPIPE, path: path)
    }
    return descriptor
  }

  /// Whether it is a file, and no folder, pipe or device.
  package func isRegularFile() throws -> Bool {
    var facts = stat()
    try Self.retrying("fstat", path) { fstat(number, &facts) }
    return facts.st_mode & S_IFMT == S_IFREG
  }

  /// Opens the folder at `path`, to sync it or to lock it.
  package static func openFolder(_ path: String) throws -> OwnedDescriptor {
    let number = try retrying("open", path) { Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    return OwnedDescriptor(adopting: number, path: path)
  }

  /// A counter that one thread raises to wake another, see `eventfd(2)`.
  static func event() throws -> OwnedDescriptor {
    let number = try retrying("eventfd", "") { silo_event() }
    return OwnedDescriptor(adopting: number, path: "eventfd")
  }

  /// Closes now, and tells what `close(2)` says: a network file system reports late write errors there.
  package consuming func close() throws {
    let closing = number
    number = -1
    flock(closing, LOCK_UN)
    if Glibc.close(closing) != 0, errno != EINTR {
      throw SystemCallError(call: "close", path: path)
    }
  }

  /// Runs a call until it is not interrupted by a signal, and throws what it failed with but for what is `expected`.
  @discardableResult
  static func retrying<Result: FixedWidthInteger>(
    _ call: String, _ path: String, expecting expected: Int32? = nil, _ body: () -> Result
  ) throws(SystemCallError) -> Result {
    while true {
      let result = body()
      if result >= 0 || errno == expected { return result }
      if errno != EINTR { throw SystemCallError(call: call, path: path) }
    }
  }
}
