import SiloSystem
import Synchronization

import class Foundation.FileManager
import struct Foundation.URL

/// The folder that holds what a server must remember, held by one server at a time.
final class DataFolder: Sendable {
  /// Its path.
  let path: String
  private let lock: Mutex<OwnedDescriptor?>

  /// Takes the folder, which is made for its owner alone when it is not there.
  ///
  /// - Throws: `ServerError`: `locked` when another server has it, `config` when it cannot be written.
  init(_ url: URL) throws(ServerError) {
    path = url.path
    do {
      try FileManager.default.createDirectory(
        at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      let file = try OwnedDescriptor.open(url.path + "/lock", .create, permissions: 0o600)
      let isOurs = try file.tryLock()
      lock = Mutex(isOurs ? consume file : nil)
      if isOurs { return }
    } catch {
      throw ServerError(
        .config, "The server's data cannot be written here: \(error).", subject: url.path)
    }
    throw ServerError(
      .locked, "Another server has this data; stop it, or give this one its own with --data.",
      subject: url.path)
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
