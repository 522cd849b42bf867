import Glibc
import SiloSystem
import Synchronization

import struct Foundation.URL

/// A partial file and its journal, locked against other processes while anything holds it.
final class PartFile: Sendable {
  let path: String
  let descriptor: OwnedDescriptor
  let journal: Mutex<TransferJournal>
  private let live: Mutex<LiveJournal>
  var journalPath: String { path + ".journal" }

  /// Opens both, and makes what is not there: the journal first, so that no partial file is without one.
  ///
  /// - Parameter identity: What else than the address the file has to be of.
  init(_ path: String, of url: URL, identity: String? = nil) throws {
    self.path = path
    journal = Mutex(try TransferJournal.open(path + ".journal", of: url, identity: identity))
    descriptor = try OwnedDescriptor.open(path, .create)
    guard try descriptor.tryLock(), Self.isNamed(descriptor, path) else {
      throw DownloadError(
        .locked, "Another process is downloading this.",
        subject: URL(filePath: path).lastPathComponent)
    }
    live = Mutex(try LiveJournal(path + ".journal" + TransferJournal.liveSuffix))
  }

  /// Whoever held the lock before may have renamed the file to its final name by now.
  private static func isNamed(_ descriptor: borrowing OwnedDescriptor, _ path: String) -> Bool {
    var (mine, named) = (stat(), stat())
    return fstat(descriptor.number, &mine) == 0 && stat(path, &named) == 0
      && mine.st_ino == named.st_ino && mine.st_dev == named.st_dev
  }

  /// What earlier runs left, and the version that it is of.
  ///
  /// What only the page cache has is synced and marked first.
  func restore() throws -> (pieces: ByteRanges, validators: HTTPValidators) {
    let nothing = HTTPValidators(entityTag: nil, lastModified: nil, totalByteCount: nil)
    let (stored, address) = try journal.withLock { (try $0.stored(), $0.address) }
    guard let stored else {
      try live.withLock { try $0.startOver(nil) }
      return (ByteRanges(), nothing)
    }
    let stamp = try LiveJournal.stamp(address, stored.validators)
    let recent = try live.withLock { try $0.restore(stamp) }
    let limit = stored.validators.totalByteCount ?? .max
    let pieces = ByteRanges(stored.pieces.ranges + recent.filter { $0.upperBound <= limit })
    guard pieces.end > 0, try descriptor.byteCount() >= pieces.end else {
      try live.withLock { try $0.startOver(nil) }
      return (ByteRanges(), nothing)
    }
    if pieces != stored.pieces {
      try mark(pieces, generation: journal.withLock { $0.generation })
    }
    try live.withLock { try $0.startOver(stamp) }
    return (pieces, stored.validators)
  }

  /// Forgets every byte, and notes the version that is fetched from now on; returns its number in this run.
  ///
  /// The journals forget first: a crash must never find them speaking of bytes that are overwritten.
  func startOver(_ validators: HTTPValidators) throws -> Int {
    try live.withLock { try $0.startOver(nil) }
    let (generation, address) = try journal.withLock { journal in
      try journal.startOver(validators)
      return (journal.generation, journal.address)
    }
    try descriptor.truncate(to: 0)
    let stamp = try LiveJournal.stamp(address, validators)
    try live.withLock { try $0.startOver(stamp) }
    if let total = validators.totalByteCount {
      try descriptor.reserve(0..<total, growing: false)
    }
    return generation
  }

  /// Notes what the claim `id` wrote; that this fails costs only what a kill would.
  func note(_ range: Range<Int64>, of id: Int) {
    live.withLock { try? $0.note(range, of: id) }
  }

  /// Syncs what is written and then says so in the journal, blocking.
  func mark(_ pieces: ByteRanges, generation: Int) throws {
    try descriptor.synchronizeBytes()
    try journal.withLock { try $0.mark(pieces, generation: generation) }
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
