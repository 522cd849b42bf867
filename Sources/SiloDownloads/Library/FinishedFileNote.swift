import Foundation
import SiloSystem

/// The record of a finished file, kept beside it while the database cannot be written.
///
/// Without it, the file would be somebody else's to the next run of the same command.
struct FinishedFileNote: Sendable {
  /// Where it lies: `NAME.part.finished`.
  let path: String

  /// The note of the file at `url`.
  init(of url: URL) { path = url.path + ".part.finished" }

  /// What it says of `file`; `nil` when there is none, or one of another file.
  func read(of url: URL) -> FinishedFile? {
    guard let bytes = try? OwnedDescriptor.open(path, .read).read(at: 0, count: 1 << 20),
      let file = try? JSONDecoder().decode(FinishedFile.self, from: Data(bytes)),
      file.path == url.path
    else { return nil }
    return file
  }

  /// Makes it, durably.
  ///
  /// - Throws: `SystemCallError`; `DownloadError.config` where somebody else's file has the name.
  func write(_ file: FinishedFile) throws {
    remove()
    guard !FileManager.default.fileExists(atPath: path) else {
      throw SideFiles.foreign(URL(filePath: path))
    }
    try AtomicFile.write([UInt8](try JSONEncoder().encode(file)), to: path, permissions: 0o600)
  }

  /// Removes it, if it is there; a file of somebody else with that name stays.
  func remove() {
    guard let bytes = try? OwnedDescriptor.open(path, .read).read(at: 0, count: 1 << 20),
      (try? JSONDecoder().decode(FinishedFile.self, from: Data(bytes))) != nil
    else { return }
    AtomicFile.remove(path)
  }
}
