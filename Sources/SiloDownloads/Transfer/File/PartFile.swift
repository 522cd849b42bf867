import Glibc
import SiloSystem
import Synchronization

import struct Foundation.URL

/// A partial file and its journal, locked against other processes while anything holds it.
final class PartFile: Sendable {
  let path: String
  let descriptor: OwnedDescriptor
  let journal: Mutex<TransferJournal>
  var journalPath: String { path + ".journal" }

  /// Opens both, and makes what is not there: the journal first, so that no partial file is without one.
  init(_ path: String, of url: URL) throws {
    self.path = path
    journal = Mutex(try TransferJournal.open(path + ".journal", of: url))
    descriptor = try OwnedDescriptor.open(path, .create)
    guard try descriptor.tryLock(), Self.isNamed(descriptor, path) else {
      throw DownloadError(
        .locked, "Another process is downloading this.",
        subject: URL(filePath: path).lastPathComponent)
    }
  }

  /// Whoever held the lock before may have renamed the file to its final name by now.
  private static func isNamed(_ descriptor: borrowing OwnedDescriptor, _ path: String) -> Bool {
    var (mine, named) = (stat(), stat())
    return fstat(descriptor.number, &mine) == 0 && stat(path, &named) == 0
      && mine.st_ino == named.st_ino && mine.st_dev == named.st_dev
  }

  /// Syncs what is written up to `end` and then says so in the journal, blocking.
  func mark(_ end: Int64, generation: Int) throws {
    try descriptor.synchronizeBytes()
    try journal.withLock { try $0.mark(end, generation: generation) }
  }
}

/// The lock of a partial file, given back with the last reference to this and not later.
///
/// The file itself is also held by threads that are about to end.
final class PartHold: Sendable {
  let part: PartFile

  init(_ part: PartFile) { self.part = part }

  deinit { flock(part.descriptor.number, LOCK_UN) }
}
