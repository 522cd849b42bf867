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

  /// Leaves the folder to another server.
  func release() {
    let lock = lock.withLock { $0.take() }
    _ = consume lock
  }

  /// The path of something in it.
  func file(_ name: String) -> String { path + "/" + name }
}
