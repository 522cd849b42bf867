import Foundation
import SiloSystem

/// Gives one stored file a second name in another folder, or copies it there.
struct Exporting: Sendable {
  private let source: URL
  private let target: URL

  /// The file at `source` gets the name `target`.
  init(_ source: URL, to target: URL) { (self.source, self.target) = (source, target) }

  private var folder: URL { target.deletingLastPathComponent() }

  /// Does it, on a thread of its own.
  ///
  /// - Returns: Whether it was there already.
  func run() async throws -> Bool {
    try await onOwnThread(named: "export") { flag in
      do {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return try export(flag)
      } catch let error as SystemCallError {
        throw DownloadError(writing: error)
      } catch let error as CocoaError {
        throw DownloadError(
          error.code == .fileWriteOutOfSpace ? .space : .config,
          "The folder cannot be made: \(error.localizedDescription)",
          subject: Redaction.printable(folder.path), cause: error)
      }
    }
  }

  private func export(_ flag: CancellationFlag) throws -> Bool {
    guard let own = FileFacts(source.path) else {
      throw DownloadError(
        .notFound, "The file is not there.", subject: Redaction.printable(source.path))
    }
    if let there = FileFacts(target.path) {
      let isSame =
        (there.device, there.number) == (own.device, own.number)
        || (there.byteCount == own.byteCount && there.modified == own.modified)
      if isSame { return true }
    }
    // Of a link to the file, the file itself.
    guard linkat(AT_FDCWD, source.path, AT_FDCWD, target.path, AT_SYMLINK_FOLLOW) != 0 else {
      try AtomicFile.synchronizeFolder(folder.path)
      return false
    }
    if errno == EEXIST {
      throw DownloadError(
        .config, "Another file has this name; it is kept.",
        subject: Redaction.printable(target.path))
    }
    try copy(modified: own.modified, flag)
    return false
  }

  private func copy(modified: Int64, _ flag: CancellationFlag) throws {
    let part = target.path + ".part"
    let file = try OwnedDescriptor.open(part, .createNew)
    do {
      let from = try OwnedDescriptor.open(source.path, .read)
      let length = try from.byteCount()
      var offset: Int64 = 0
      while offset < length {
        try flag.check()
        let bytes = try from.read(at: offset, count: Int(min(1 << 20, length - offset)))
        if bytes.isEmpty { break }
        try file.write(bytes, at: offset)
        offset += Int64(bytes.count)
      }
      // The same time tells a later export that it is the same file.
      var times = [timespec](repeating: timespec(), count: 2)
      for place in 0..<2 {
        times[place].tv_sec = Int(modified / 1_000_000_000)
        times[place].tv_nsec = Int(modified % 1_000_000_000)
      }
      futimens(file.number, times)
      try file.synchronize()
      try file.close()
      try AtomicFile.renameDurably(part, to: target.path, isReplacing: false)
    } catch {
      AtomicFile.remove(part)
      throw error
    }
  }
}
