import Foundation
import SiloSystem

extension SideFiles {
  /// Removes what a run left that was killed after the file had its name; called when there is nothing else to do.
  ///
  /// Only a lock that nobody holds any more tells of such a run: without one, nothing is touched.
  func sweep() {
    let path = job.beside(".part.lock").path
    guard FileManager.default.fileExists(atPath: path),
      let lock = try? OutputLock.take(path, of: job.place.url.path, by: job.sourceName)
    else { return }
    if lock.isLeftOver { clear() }
    lock.release()
  }

  /// Removes everything that the file was made of; called when it has its name, with the lock held.
  func clear() { Self.clear(beside: job.place.url, ofOurs: true) }

  /// Removes everything that the file at `output` was made of; called with the lock held.
  ///
  /// - Parameter ofOurs: Whether a partial without a journal is known to be ours.
  static func clear(beside output: URL, ofOurs: Bool) {
    let files = FileManager.default
    for part in [output.path + ".part", output.path + ".source.part"] {
      guard ofOurs || files.fileExists(atPath: part + ".journal") else { continue }
      AtomicFile.remove(part)
      TransferJournal.remove(part + ".journal")
    }
    removeParts(output.path + ".parts")
  }
}
