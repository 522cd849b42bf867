import Synchronization

import struct Foundation.URL

/// The SHA-256 of a partial file, computed while what was written is still brought to the disk and checked.
final class PartDigest: Sendable {
  private typealias Running = Task<(byteCount: Int64, hexadecimal: String), any Error>

  private let url: URL
  private let running = Mutex<Running?>(nil)

  /// The digest of the file at `url`, not begun.
  init(_ url: URL) { self.url = url }

  deinit { running.withLock { $0?.cancel() } }

  /// Begins; every byte has to be in the file.
  func begin() {
    running.withLock { [url] in $0 = Task { try await FileDigest.sha256(of: url) } }
  }

  /// Ends it; nobody wants it any more.
  func cancel() { running.withLock { $0?.cancel() } }

  /// The length and the SHA-256, in lower-case hexadecimal.
  func value() async throws -> (byteCount: Int64, hexadecimal: String) {
    guard let running = running.withLock({ $0 }) else {
      return try await FileDigest.sha256(of: url)
    }
    return try await withTaskCancellationHandler {
      try await running.value
    } onCancel: {
      running.cancel()
    }
  }
}
