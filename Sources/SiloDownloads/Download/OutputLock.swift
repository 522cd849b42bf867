import Foundation
import SiloSystem
import Synchronization

/// Keeps two processes from making the same output: an flock(2) on a file beside it, gone when the holder is.
struct OutputLock: ~Copyable {
  private let descriptor: OwnedDescriptor
  /// Whether its file was there already: a run before was killed, and what it left is ours.
  let isLeftOver: Bool

  /// The sources whose outputs this process makes now, by the path of the lock.
  private static let makers = Mutex<[String: String]>([:])

  private init(_ descriptor: consuming OwnedDescriptor, isLeftOver: Bool) {
    self.descriptor = descriptor
    self.isLeftOver = isLeftOver
  }

  /// Takes the lock of the output `name`; throws `locked` when another process has it, `config` when another source of this
  /// one does.
  static func take(_ path: String, of name: String, by source: String) throws -> OutputLock {
    // Whoever had the lock removes its file: then the lock that was just taken is of a file that is no longer there.
    for _ in 0..<100 {
      let isLeftOver = FileManager.default.fileExists(atPath: path)
      let descriptor = try OwnedDescriptor.open(path, .create)
      // Ours are empty; what somebody wrote has its name by chance.
      guard try descriptor.isRegularFile(), try descriptor.byteCount() == 0 else {
        throw SideFiles.foreign(URL(filePath: path))
      }
      // One at a time, so that whoever does not get it finds who has.
      let isOurs = try makers.withLock { makers in
        guard try descriptor.tryLock() else {
          throw refusal(of: name, by: source, other: makers[path])
        }
        let isOurs = try descriptor.isStillAt(path)
        if isOurs { makers[path] = source }
        return isOurs
      }
      if isOurs { return OutputLock(descriptor, isLeftOver: isLeftOver) }
    }
    throw DownloadError(
      .locked, "the lock changes hands all the time", subject: Redaction.printable(name))
  }

  private static func refusal(
    of name: String, by source: String, other: String?
  ) -> DownloadError {
    if let other, other != source {
      return DownloadError(
        .config,
        "two sources of this run would have this name, \(Redaction.printable(source)) and \(Redaction.printable(other)); the first of them is not fetched. Give it another --output",
        subject: Redaction.printable(name))
    }
    return DownloadError(
      .locked, "another download is making this file; wait for it or choose another --output",
      subject: Redaction.printable(name))
  }

  /// Gives the lock back.
  consuming func release() {}

  // Removed while it is still held, so that whoever waits never has the lock of a file that is gone.
  deinit {
    Self.makers.withLock { $0[descriptor.path] = nil }
    AtomicFile.remove(descriptor.path)
  }
}
