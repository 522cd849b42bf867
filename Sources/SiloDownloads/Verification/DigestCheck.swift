import Foundation
import SiloMedia
import SiloSystem

/// What became of the claims about a file that none of them condemned.
struct DigestVerdict: Sendable, Hashable {
  /// The algorithms by which it is what was claimed.
  var verified: [ExpectedDigest.Algorithm] = []
  /// What the user should be told.
  var warnings: [String] = []
}

extension DigestClaims {
  /// Compares the file at `url` with what is claimed of it.
  ///
  /// - Parameter known: The digests that were computed while it arrived, in lower-case hexadecimal: it is read for others only.
  /// - Throws: `DownloadError.integrity` that names the algorithm, both digests and who expects the one; `CancellationError`.
  func check(_ url: URL, known: [Digest.Algorithm: String] = [:]) async throws
    -> DigestVerdict
  {
    var verdict = DigestVerdict()
    for expected in deciding {
      let found: String
      if let digest = Digest.Algorithm(expected.algorithm).flatMap({ known[$0] }) {
        found = digest
      } else {
        found = try await onOwnThread(named: "digest") { flag in
          try FileDigest.digest(of: url, expected.algorithm, flag)
        }
      }
      if found == expected.hexadecimal {
        verdict.verified.append(expected.algorithm)
      } else if let doubt = try expected.doubt(about: url) {
        verdict.warnings.append(doubt)
      } else {
        throw DownloadError(
          .integrity, expected.difference(found),
          subject: Redaction.printable(url.lastPathComponent))
      }
    }
    return verdict
  }
}

extension ExpectedDigest {
  /// What to say of a file that has the digest `found` instead.
  func difference(_ found: String) -> String {
    "the \(algorithm.rawValue) is \(found), and \(origin) says \(hexadecimal); the file is not what was expected"
  }

  /// Why a difference says nothing about the file; `nil` when it does.
  func doubt(about url: URL) throws -> String? {
    if !isBinding {
      return
        "\(origin) is another \(algorithm.rawValue) than the file's; it came with a part of the file, so it proves nothing"
    }
    guard algorithm == .oshash, origin != .request,
      try OwnedDescriptor.open(url.path, .read).byteCount() < OpenSubtitlesHash.leastByteCount
    else { return nil }
    return "\(origin) gives an OSHash of a file that is too short for one; it is not verifiable"
  }
}
