import Foundation
import SiloMedia
import SiloSystem

/// Digests of a local file.
enum FileDigest {
  /// The length and the SHA-256, in lower-case hexadecimal.
  static func sha256(of url: URL) async throws -> (byteCount: Int64, hexadecimal: String) {
    try await onOwnThread(named: "digest") { flag in
      try digest(of: url, .sha256, flag)
    }
  }

  /// The length and the digest by `algorithm`, in lower-case hexadecimal; reads the whole file once.
  ///
  /// - Parameter progress: Called after each MiB with the bytes that were read.
  static func digest(
    of url: URL, _ algorithm: Digest.Algorithm, _ flag: CancellationFlag,
    progress: (Int64) -> Void = { _ in }
  ) throws -> (byteCount: Int64, hexadecimal: String) {
    let file = try OwnedDescriptor.open(url.path, .read)
    var digest = try Digest(algorithm)
    let byteCount = try file.readPieces(unless: flag) { piece, offset in
      digest.update(piece)
      progress(offset + Int64(piece.byteCount))
    }
    return (byteCount, digest.finishHex())
  }

  /// The digest of the file at `url` that `expected` is about, in lower-case hexadecimal.
  static func digest(
    of url: URL, _ algorithm: ExpectedDigest.Algorithm, _ flag: CancellationFlag,
    progress: (Int64) -> Void = { _ in }
  ) throws -> String {
    guard let kind = Digest.Algorithm(algorithm) else { return try OpenSubtitlesHash.of(url) }
    return try digest(of: url, kind, flag, progress: progress).hexadecimal
  }
}
