import Glibc
import SiloSystem

import struct Foundation.URL

extension OutputPlace {
  /// Refuses a name whose file a download cannot or must not take the place of, whatever the user allows: what is no regular
  /// file, a link that leads nowhere, and the source itself.
  ///
  /// - Parameter source: The local file that is read.
  /// - Throws: `DownloadError.config`, or `usage` for the source.
  func requireReplaceable(source: URL? = nil) throws {
    var entry = stat()
    guard lstat(url.path, &entry) == 0 else { return }
    var target = stat()
    guard stat(url.path, &target) == 0 else {
      throw refusal(
        "this is a link that leads nowhere; it is kept. Remove it, or choose another --output")
    }
    guard target.st_mode & S_IFMT == S_IFREG else {
      throw refusal("this is no regular file; it is kept. Choose another --output")
    }
    var read = stat()
    guard let source, stat(source.path, &read) == 0, read.st_dev == target.st_dev,
      read.st_ino == target.st_ino
    else { return }
    throw DownloadError(
      .usage, "this is the source itself; choose another --output",
      subject: Redaction.printable(url.path))
  }

  private func refusal(_ message: String) -> DownloadError {
    DownloadError(.config, message, subject: Redaction.printable(url.path))
  }
}
