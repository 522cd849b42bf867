import Foundation
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
  static func digest(
    of url: URL, _ algorithm: Digest.Algorithm, _ flag: CancellationFlag
  ) throws -> (byteCount: Int64, hexadecimal: String) {
    let file = try OwnedDescriptor.open(url.path, .read)
    var digest = try Digest(algorithm)
    let byteCount = try file.readPieces(unless: flag) { piece, _ in digest.update(piece) }
    return (byteCount, digest.finishHex())
  }
}

extension ExpectedDigest {
  /// Compares the file at `url`; a difference names both.
  func check(_ url: URL) async throws {
    let found = try await onOwnThread(named: "digest") { flag in
      switch algorithm {
      case .sha256: try FileDigest.digest(of: url, .sha256, flag).hexadecimal
      case .sha1: try FileDigest.digest(of: url, .sha1, flag).hexadecimal
      case .md5: try FileDigest.digest(of: url, .md5, flag).hexadecimal
      case .oshash: try OpenSubtitlesHash.of(url)
      }
    }
    guard found == hexadecimal else {
      throw DownloadError(
        .integrity,
        "the \(algorithm.rawValue) is \(found), not \(hexadecimal) as given; the file is not what was expected",
        subject: Redaction.printable(url.lastPathComponent))
    }
  }
}

/// OpenSubtitles' hash: the length plus the sums of the first and the last 64 KiB as little-endian 64-bit words.
enum OpenSubtitlesHash {
  /// The hash in 16 hexadecimal digits.
  static func of(_ url: URL) throws -> String {
    let file = try OwnedDescriptor.open(url.path, .read)
    let byteCount = try file.byteCount()
    let window = Int(min(65_536, byteCount))
    var sum = UInt64(byteCount)
    for offset in [0, byteCount - Int64(window)] {
      let bytes = try file.read(at: offset, count: window)
      for start in stride(from: 0, to: bytes.count - bytes.count % 8, by: 8) {
        sum &+= (0..<8).reduce(0 as UInt64) { $0 | UInt64(bytes[start + $1]) << UInt64($1 * 8) }
      }
    }
    let text = String(sum, radix: 16)
    return String(repeating: "0", count: 16 - text.count) + text
  }
}
