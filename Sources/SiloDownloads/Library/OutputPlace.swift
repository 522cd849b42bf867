import Foundation
import SiloMedia
import SiloSystem

/// Where a finished file goes, from `--output`, `--container` and what the source calls itself (pure).
struct OutputPlace: Hashable, Sendable {
  /// What a source calls itself, best first.
  struct Names: Hashable, Sendable {
    /// From Content-Disposition.
    var disposition: String?
    /// The last path component of the URL or file, percent codes decoded.
    var lastComponent: String?
    /// The component before it.
    var parentComponent: String?
    /// The title inside.
    var title: String?
  }

  /// The final path.
  var url: URL
  /// What the user should be told: the container wins over the suffix.
  var warning: String?

  /// Playlists are often all called the same; then the folder says what it is.
  private static let genericStems: Set<String> = [
    "master", "index", "playlist", "manifest", "main", "stream", "chunklist", "prog_index", "media",
    "video", "hls",
  ]

  /// The final path of a download.
  ///
  /// - Parameters:
  ///   - output: what `--output` says: a file, or a folder when it ends in `/` or `isFolder` says so.
  ///   - suffix: the suffix that fits what is written: `mkv`, `mp4`, or the source's own for a plain file.
  ///   - askedContainer: what `--container` says.
  ///   - shelf: what it is, where a media centre is to find it by its name.
  ///   - nameByteLimit: the longest name in bytes that a folder takes.
  init(
    output: String?, isFolder: (String) -> Bool, names: Names, suffix: String?,
    askedContainer: OutputContainer?, shelf: ShelfName.Subject? = nil, current: URL,
    nameByteLimit: (URL) -> Int = { _ in 255 }
  ) {
    if let output, !output.isEmpty, !output.hasSuffix("/"), !isFolder(output) {
      url = URL(filePath: output, relativeTo: current).absoluteURL
      let written = FileName(url.lastPathComponent)?.suffix ?? ""
      if let askedContainer, !written.isEmpty,
        Delivery.container(ofSuffix: written) != askedContainer
      {
        warning =
          "--container \(askedContainer.rawValue) wins over the suffix .\(written) of --output"
      }
      return
    }
    let folder = URL(filePath: output ?? ".", directoryHint: .isDirectory, relativeTo: current)
    if let shelf {
      let limit = nameByteLimit(folder.absoluteURL.appending(component: "name"))
      let name = ShelfName(shelf, nameByteLimit: limit)
      url = name.folders.reduce(folder.absoluteURL) {
        $0.appending(component: $1, directoryHint: .isDirectory)
      }
      .appending(component: "\(name.stem).\(suffix ?? "mkv")", directoryHint: .notDirectory)
      return
    }
    let name = Self.name(from: names, suffix: suffix)
    let limit = nameByteLimit(folder.absoluteURL.appending(component: name.description))
    url = folder.absoluteURL.appending(
      component: name.fitting(FileName.byteLimit(inFolderOf: limit)).description,
      directoryHint: .notDirectory)
  }

  /// Refuses a name that leaves no room for the files beside it, or that the folder does not take at all.
  ///
  /// Only a name that the user gave can be so: others were cut.
  func requireRoom(nameByteLimit: Int) throws {
    let longest = nameByteLimit - FileName.sideFileByteCount
    let count = url.lastPathComponent.utf8.count
    guard count > longest else { return }
    throw DownloadError(
      .config,
      "the name has \(count) bytes, and \(max(0, longest)) are the most here: the folder takes \(nameByteLimit), and the files beside it while it is made have longer names. Choose a shorter one",
      subject: Redaction.printable(url.path))
  }

  /// Makes the folder of the file, when it is not there.
  ///
  /// - Throws: `DownloadError` that names the path.
  func makeFolder() throws {
    do {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    } catch let error as CocoaError {
      throw DownloadError(
        error.code == .fileWriteOutOfSpace ? .space : .config,
        "the output folder cannot be made: \(error.localizedDescription)",
        subject: Redaction.printable(url.path), cause: error)
    }
  }

  private static func name(from names: Names, suffix: String?) -> FileName {
    let candidates = [names.disposition, stem(from: names), names.title]
    let name = candidates.lazy.compactMap { $0.flatMap { FileName($0) } }.first ?? .unnamed
    guard let suffix, name.suffix != suffix else { return name }
    let known = ["mp4", "mkv", "m3u8", "m3u", "ts", "webm", "mov", "m4v", "avi", "mka", "m4a"]
    return known.contains(name.suffix)
      ? name.withSuffix(suffix) : FileName("\(name.description).\(suffix)") ?? name
  }

  private static func stem(from names: Names) -> String? {
    guard let last = names.lastComponent, let name = FileName(last) else { return nil }
    guard ["m3u8", "m3u", ""].contains(name.suffix),
      genericStems.contains(name.stem.lowercased())
    else { return last }
    return names.parentComponent ?? names.title ?? last
  }
}
