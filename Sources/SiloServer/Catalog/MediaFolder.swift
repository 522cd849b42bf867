import Glibc

import struct Foundation.URL

/// The folder that is served: the only door to its files, and the guard that nothing outside it is opened.
struct MediaFolder: Sendable {
  /// The absolute path, links resolved, without a slash at the end.
  let root: String

  /// The folder at `url`; throws `ServerError` when it is not there or is no folder.
  init(_ url: URL) throws(ServerError) {
    let path = url.path
    guard let resolved = realpath(path, nil) else {
      throw errno == EACCES
        ? ServerError(.config, "The folder may not be read.", subject: path)
        : ServerError(.notFound, "There is no such folder.", subject: path)
    }
    defer { free(resolved) }
    var facts = stat()
    guard stat(resolved, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR else {
      throw ServerError(
        .config, "This is not a folder; give the folder of the media.", subject: path)
    }
    guard access(resolved, R_OK | X_OK) == 0 else {
      throw ServerError(.config, "The folder may not be read.", subject: path)
    }
    let text = String(cString: resolved)
    root = text == "/" ? "" : text
  }

  /// Opens the regular file at these components; `nil` for everything that is not there or not to be served:
  /// hidden files, folders, devices, and whatever a link leads to outside the folder.
  func open(_ components: [String]) -> OpenFile? {
    guard !components.isEmpty, components.allSatisfy(Self.isServed) else { return nil }
    let path = root + "/" + components.joined(separator: "/")
    // Not blocking, or a FIFO in the folder would hold the server.
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    var facts = stat()
    guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG,
      // Asked of the descriptor and not of the path, so that no link can be swapped in between.
      let resolved = Self.path(of: descriptor), let inside = relative(resolved),
      inside.allSatisfy(Self.isServed)
    else {
      close(descriptor)
      return nil
    }
    return OpenFile(adopting: descriptor, path: resolved, facts: facts)
  }

  /// The names in the folder at these components that are served, sorted; empty when there is no such folder.
  func names(in components: [String]) -> [(name: String, isFolder: Bool)] {
    guard components.allSatisfy(Self.isServed) else { return [] }
    let path = ([root] + components).joined(separator: "/") + "/"
    guard let resolved = realpath(path, nil) else { return [] }
    defer { free(resolved) }
    let text = String(cString: resolved)
    guard components.isEmpty || relative(text)?.allSatisfy(Self.isServed) == true,
      let folder = opendir(text)
    else { return [] }
    defer { closedir(folder) }
    var names: [(name: String, isFolder: Bool)] = []
    while let entry = readdir(folder) {
      let name = Self.name(of: entry)
      var facts = stat()
      guard Self.isServed(name), fstatat(dirfd(folder), name, &facts, 0) == 0 else { continue }
      switch facts.st_mode & S_IFMT {
      case S_IFDIR: names.append((name, true))
      case S_IFREG: names.append((name, false))
      default: continue
      }
    }
    return names.sorted { $0.name < $1.name }
  }

  /// Whether a name may be part of an address: not empty, not hidden (which `..` is, too), no separator, no NUL.
  static func isServed(_ name: String) -> Bool {
    !name.isEmpty && !name.hasPrefix(".") && !name.utf8.contains { $0 == 0x2F || $0 == 0 }
  }

  /// Whether what lies at `path` below the folder is inside it, or the folder itself, links followed, and not hidden.
  func contains(_ path: String) -> Bool {
    guard let resolved = realpath(root + "/" + path, nil) else { return false }
    defer { free(resolved) }
    let text = String(cString: resolved)
    return text == root || relative(text)?.allSatisfy(Self.isServed) == true
  }

  /// The components below the folder, or `nil` when `path` is not below it.
  private func relative(_ path: String) -> [String]? {
    guard path.hasPrefix(root + "/") else { return nil }
    return path.dropFirst(root.count + 1).split(separator: "/").map(String.init)
  }

  private static func path(of descriptor: Int32) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = readlink("/proc/self/fd/\(descriptor)", &buffer, Int(PATH_MAX))
    guard count > 0 else { return nil }
    return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static func name(of entry: UnsafeMutablePointer<dirent>) -> String {
    withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
