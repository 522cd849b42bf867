import Glibc
import SiloSystem
import Synchronization

import struct Foundation.URL

/// The folder that holds what a server must remember, held by one server at a time.
final class DataFolder: Sendable {
  /// Its path.
  let path: String
  private let lock: Mutex<OwnedDescriptor?>

  /// Takes the folder, which is made for its owner alone when it is not there.
  ///
  /// - Throws: `ServerError`: `locked` when another server has it, `space` when the disk is full, `config` when it cannot be
  ///   made or written.
  init(_ url: URL) throws(ServerError) {
    path = url.path
    do {
      try Self.make(path)
      let file = try OwnedDescriptor.open(url.path + "/lock", .create, permissions: 0o600)
      let isOurs = try file.tryLock()
      lock = Mutex(isOurs ? consume file : nil)
      if isOurs { return }
    } catch {
      throw Self.failure(error, path)
    }
    throw ServerError(
      .locked, "Another server has this data; stop it, or give this one its own with --data.",
      subject: url.path)
  }

  /// What a failed call means for whoever starts the server.
  static func failure(_ error: any Error, _ path: String) -> ServerError {
    let cause = error as? SystemCallError
    let place = "give another place with --data"
    let message: String
    switch cause?.errno {
    case ENOSPC, EDQUOT: message = "The disk is full; make room, or \(place)."
    case EROFS: message = "This disk takes no writes; \(place)."
    case EACCES, EPERM: message = "The server's data may not be written here; \(place)."
    case ENOTDIR, EEXIST, EISDIR: message = "Something else is in the way; \(place)."
    case ENOENT: message = "No folder can be made here; \(place)."
    case let code?:
      message =
        "The server's data cannot be written here (\(SystemCallError.reason(code))); \(place)."
    case nil: message = "The server's data cannot be written here; \(place)."
    }
    return ServerError(
      cause?.isOutOfSpace == true ? .space : .config, message, subject: cause?.path ?? path)
  }

  /// Makes a folder for its owner alone, and those above it that are not there.
  private static func make(_ path: String) throws {
    guard !isFolder(path) else { return }
    if let slash = path.lastIndex(of: "/"), slash > path.startIndex {
      try make(String(path[..<slash]))
    }
    guard mkdir(path, 0o700) != 0 else { return }
    let code = errno
    // Another start may have been faster.
    guard !isFolder(path) else { return }
    throw SystemCallError(call: "mkdir", errno: code, path: path)
  }

  private static func isFolder(_ path: String) -> Bool {
    var facts = stat()
    return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
  }

  /// Refuses data that would be served with the media; what is below a hidden folder is not.
  ///
  /// - Throws: `ServerError.config`.
  static func require(_ data: URL, apartFrom media: URL) throws(ServerError) {
    let parts = { (url: URL) in url.standardizedFileURL.resolvingSymlinksInPath().pathComponents }
    let (own, served) = (parts(data), parts(media))
    guard own.starts(with: served),
      !own.dropFirst(served.count).contains(where: { $0.hasPrefix(".") })
    else { return }
    throw ServerError(
      .config,
      "The server's accounts and keys would lie in the folder that is served; give another place with --data.",
      subject: data.path)
  }

  /// Leaves the folder to another server.
  func release() {
    let lock = lock.withLock { $0.take() }
    _ = consume lock
  }

  /// The path of something in it.
  func file(_ name: String) -> String { path + "/" + name }
}
