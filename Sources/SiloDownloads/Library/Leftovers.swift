import Foundation
import SiloMedia
import SiloSystem

/// What lies beside an output from a download of it that nobody continues; never removed, only told.
struct Leftovers {
  /// What grows while a file is fetched, and what is ours of it only when that is there.
  private static let kinds = [
    (part: ".part", journals: [".part.journal", ".part.journal-live"]),
    (part: ".source.part", journals: [".source.part.journal", ".source.part.journal-live"]),
    (part: ".parts", journals: [".parts/journal.sqlite"]),
  ]

  /// Which file is left and how to remove it, for a warning; `nil` when nothing is, or another process works on it.
  ///
  /// - Parameter used: What the download that begins now uses itself, as suffixes of `path`; empty for another output.
  static func sentence(of path: String, except used: Set<String> = []) -> String? {
    let files = FileManager.default
    var found: [String] = []
    var all: [String] = []
    for kind in kinds where !used.contains(kind.part) {
      let journals = kind.journals.map { path + $0 }.filter(files.fileExists)
      guard !journals.isEmpty, files.fileExists(atPath: path + kind.part) else { continue }
      found.append(path + kind.part)
      // What lies inside goes with its folder.
      all += [path + kind.part] + journals.filter { !$0.hasPrefix(path + kind.part + "/") }
    }
    let written = used.isEmpty ? SidecarDisk.beingWritten(beside: path) : []
    found += written
    all += written
    // The lock of its own output is held by the download itself.
    guard !found.isEmpty, !used.isEmpty || !isLocked(path + ".part.lock") else { return nil }
    let byteCount = found.reduce(0) { $0 + DiskSpace.used(by: URL(filePath: $1)) }
    let command = all.map { "'" + $0.replacing("'", with: "'\\''") + "'" }.joined(separator: " ")
    return
      "an unfinished download of this source is left at \(found.joined(separator: " and ")) (\(ByteCount.text(byteCount))), and is not continued; to remove it: rm -r \(command)"
  }

  /// Whether another download makes that output now.
  private static func isLocked(_ path: String) -> Bool {
    guard FileManager.default.fileExists(atPath: path),
      let lock = try? OwnedDescriptor.open(path, .read), let isFree = try? lock.tryLock()
    else { return false }
    return !isFree
  }
}

/// Remembers which outputs were begun from a source on the web.
struct UnfinishedFiles: Sendable {
  let store: StateStore

  /// What runs before with another choice, or another output, left of the source of `job`, as sentences for warnings.
  ///
  /// What cannot be read is not told.
  func leftovers(of job: DownloadJob) async -> [String] {
    guard job.isRemote else { return [] }
    let (source, own, used) = (job.sourceName, job.place.url.path, job.usedSuffixes)
    let read = try? await store.read { try UnfinishedFileTable.paths(of: source, in: $0) }
    // What was fetched before it could be looked into may have got another name since.
    let others = (read ?? nil ?? []).filter { $0 != own && $0 + ".source.part" != job.fetchedPath }
    let told = try? await onOwnThread(named: "state") { _ in
      ([Leftovers.sentence(of: own, except: used)] + others.map { Leftovers.sentence(of: $0) })
        .compactMap { $0 }
    }
    return told ?? []
  }
}

extension DownloadJob {
  /// Whether bytes come from elsewhere, so that a run that ends early keeps them.
  var isRemote: Bool { opened.localFile == nil }

  /// The file that was fetched before anything was known of it.
  fileprivate var fetchedPath: String? {
    guard case .file(let file) = opened, case .fetched(_, let fetched) = file.place else {
      return nil
    }
    return fetched.partURL.path
  }

  /// What this download keeps beside its output, as suffixes of its name.
  var usedSuffixes: Set<String> {
    switch opened {
    case .presentation: return [".parts", ".part"]
    case .file(let file):
      if case .web = file.place, delivery == .asStored { return [".part"] }
      return [".source.part", ".part"]
    }
  }
}
