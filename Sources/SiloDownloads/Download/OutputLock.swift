import Foundation
import SiloSystem

/// Keeps two processes from making the same output: an flock(2) on a file beside it, gone when the holder is.
struct OutputLock: ~Copyable {
  private let descriptor: OwnedDescriptor
  /// Whether its file was there already: a run before was killed, and what it left is ours.
  let isLeftOver: Bool

  private init(_ descriptor: consuming OwnedDescriptor, isLeftOver: Bool) {
    self.descriptor = descriptor
    self.isLeftOver = isLeftOver
  }

  /// Takes the lock of the output `name`; throws `locked` when another process has it.
  static func take(_ path: String, of name: String) throws -> OutputLock {
    // Whoever had the lock removes its file: then the lock that was just taken is of a file that is no longer there.
    for _ in 0..<100 {
      let isLeftOver = FileManager.default.fileExists(atPath: path)
      let descriptor = try OwnedDescriptor.open(path, .create)
      guard try descriptor.tryLock() else {
        throw DownloadError(
          .locked, "another download is making this file; wait for it or choose another --output",
          subject: Redaction.printable(name))
      }
      if try descriptor.isStillAt(path) { return OutputLock(descriptor, isLeftOver: isLeftOver) }
    }
    throw DownloadError(
      .locked, "the lock changes hands all the time", subject: Redaction.printable(name))
  }

  /// Gives the lock back.
  consuming func release() {}

  // Removed while it is still held, so that whoever waits never has the lock of a file that is gone.
  deinit { AtomicFile.remove(descriptor.path) }
}
