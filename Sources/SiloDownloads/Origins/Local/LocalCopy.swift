import Foundation
import SiloSystem

/// Copies a local file, with its digest, into a partial file beside the output.
struct LocalCopy: Sendable {
  /// What is copied.
  let source: URL
  /// Where to.
  let part: URL

  /// Copies all of it, makes it durable, and returns the length and the SHA-256 in hexadecimal.
  func run(
    progress: @escaping @Sendable (Int64) -> Void
  ) async throws -> (byteCount: Int64, sha256: String) {
    try await onOwnThread(named: "copy") { flag in
      let input = try OwnedDescriptor.open(source.path, .read)
      let output = try OwnedDescriptor.open(part.path, .create)
      try output.truncate(to: 0)
      var digest = try Digest(.sha256)
      let byteCount = try input.readPieces(unless: flag) { piece, offset in
        digest.update(piece)
        try output.write(piece, at: offset)
        progress(offset + Int64(piece.byteCount))
      }
      try output.synchronize()
      return (byteCount, digest.finishHex())
    }
  }
}
