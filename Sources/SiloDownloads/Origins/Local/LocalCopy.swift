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
      var buffer = [UInt8](repeating: 0, count: 1 << 20)
      var offset: Int64 = 0
      while true {
        try flag.check()
        var span = buffer.mutableSpan
        var bytes = span.mutableBytes
        let count = try input.read(at: offset, into: &bytes)
        guard count > 0 else { break }
        let piece = buffer.span.bytes.extracting(first: count)
        digest.update(piece)
        try output.write(piece, at: offset)
        offset += Int64(count)
        progress(offset)
      }
      try output.synchronize()
      return (offset, digest.finishHex())
    }
  }
}
