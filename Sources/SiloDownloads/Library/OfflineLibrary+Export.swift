import SiloStore
import SiloSystem

public import struct Foundation.URL

extension OfflineLibrary {
  /// What became of an entry that was to be exported.
  public struct Export: Sendable {
    /// The entry.
    public var entry: LibraryEntry
    /// Where it is now.
    public var url: URL
    /// Whether it was there already.
    public var wasThere: Bool
    /// What lies beside it and was exported with it.
    public var sideFiles: [URL] = []
    /// What lies beside it and could not be, a sentence each.
    public var warnings: [String] = []
  }

  /// Puts an entry, and what lies beside it for its sake, into `folder`: as other names of the same files where the file system
  /// allows, else as copies, which get their names when they are whole.
  ///
  /// What lies as a media centre reads it keeps its folders; everything else gets its own name only.
  ///
  /// - Throws: `DownloadError` `notFound` for a file that is missing, `integrity` for one that was changed, `config` where another file has the name, `space`.
  public func export(_ entry: LibraryEntry, to folder: URL) async throws -> Export {
    try await onOwnThread(named: "state") { _ in try entry.requireUnchanged() }
    let sideFiles = try await sideFiles(of: entry)
    let place = ExportPlace(entry.url.path, sideFiles: sideFiles, folder: folder)
    let wasThere = try await Exporting(entry.url, to: place.url(of: entry.url.path)).run()
    var export = Export(entry: entry, url: place.url(of: entry.url.path), wasThere: wasThere)
    for file in sideFiles where file.condition != .missing {
      let target = place.url(of: file.url.path)
      do {
        _ = try await Exporting(file.url, to: target).run()
        export.sideFiles.append(target)
      } catch let error as DownloadError where [.config, .notFound].contains(error.code) {
        export.warnings.append(error.description)
      }
    }
    return export
  }
}

/// Where an export puts the files of an entry (pure).
struct ExportPlace: Sendable {
  private let root: String
  private let folder: URL

  /// The place in `folder` for the media file at `path` and what lies beside it.
  init(_ path: String, sideFiles: [SideFile], folder: URL) {
    self.folder = folder
    let own = AtomicFile.folder(of: path)
    if let shared = sideFiles.first(where: \.isShared) {
      root = AtomicFile.folder(of: AtomicFile.folder(of: shared.url.path))
    } else if !sideFiles.isEmpty, SidecarPlan.name(of: own) == SidecarPlan.stem(of: path) {
      root = AtomicFile.folder(of: own)
    } else {
      root = own
    }
  }

  /// The place of the file that lies at `path` now.
  func url(of path: String) -> URL {
    let relative = path.utf8.dropFirst(root == "/" ? 1 : root.utf8.count + 1)
    return folder.appending(path: String(Substring(relative)), directoryHint: .notDirectory)
  }
}
