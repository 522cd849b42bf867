import Foundation
import SiloSystem

/// What lies beside an output while it is made: only what is ours is written over or removed.
struct SideFiles {
  let job: DownloadJob

  private var journal: URL { job.beside(".part.journal") }
  private var parts: URL { job.beside(".parts") }

  /// Refuses files of somebody else that have our names; removes what a killed packaging left, which nothing can use.
  ///
  /// A partial is ours when it has a journal, or when a killed run left its lock.
  func claim(isLeftOver: Bool) throws {
    let files = FileManager.default
    if files.fileExists(atPath: job.part.path), !files.fileExists(atPath: journal.path) {
      guard isLeftOver else { throw Self.foreign(job.part) }
      AtomicFile.remove(job.part.path)
    }
    try Self.requireOwn(job.beside(".source.part"))
    var isFolder: ObjCBool = false
    guard files.fileExists(atPath: parts.path, isDirectory: &isFolder) else { return }
    let names = (try? files.contentsOfDirectory(atPath: parts.path)) ?? []
    guard isFolder.boolValue, names.allSatisfy(Self.isOwn) else { throw Self.foreign(parts) }
  }

  /// Refuses a partial without a journal beside it: it is not from here.
  static func requireOwn(_ part: URL) throws {
    let files = FileManager.default
    if files.fileExists(atPath: part.path), !files.fileExists(atPath: part.path + ".journal") {
      throw foreign(part)
    }
  }

  /// Removes the spools and their journal, and the folder when nothing else is in it.
  func removeParts() { Self.removeParts(parts.path) }

  /// The same of the folder at `path`.
  static func removeParts(_ path: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    for name in names where isOwn(name) { AtomicFile.remove(path + "/" + name) }
    rmdir(path)
  }

  private static func isOwn(_ name: String) -> Bool {
    name.hasPrefix("journal.sqlite") || name.hasSuffix(".spool")
  }

  /// The refusal of a file of somebody else that has a name of ours.
  static func foreign(_ url: URL) -> DownloadError {
    DownloadError(
      .config,
      "this is in the way and not from here; it is kept. Move it, or choose another --output",
      subject: Redaction.printable(url.path))
  }
}
