import SiloSystem
import Synchronization

import struct Foundation.URL

/// The outputs of the downloads that were asked for together: no two sources of them become one file.
///
/// A lock keeps two from writing at the same time; this keeps the second from replacing what the first has finished, though
/// the user allowed to replace what was there before.
public final class OutputClaims: Sendable {
  private let sources = Mutex<[String: String]>([:])

  /// Claims of nobody yet.
  public init() {}

  /// Claims the file at `url` for `source`; the same source may do so again.
  ///
  /// - Throws: `DownloadError.config` when another source has it.
  func claim(_ url: URL, by source: String) throws {
    let path = url.standardizedFileURL.path
    let other = sources.withLock { sources in
      let first = sources[path, default: source]
      sources[path] = first
      return first
    }
    guard other != source else { return }
    throw DownloadError(
      .config,
      "two sources of this run would have this name, \(Redaction.printable(source)) and \(Redaction.printable(other)); the first of them is not fetched. Give it another --output",
      subject: Redaction.printable(url.path))
  }
}
