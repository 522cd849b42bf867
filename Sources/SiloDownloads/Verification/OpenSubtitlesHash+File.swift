import SiloMedia
import SiloSystem

import struct Foundation.URL

extension OpenSubtitlesHash {
  /// The hash of a local file.
  static func of(_ url: URL) throws -> String {
    let file = try OwnedDescriptor.open(url.path, .read)
    return try of(byteCount: try file.byteCount()) { try file.read(at: $0, count: $1) }
  }
}
