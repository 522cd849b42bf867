import SiloContract
import SiloMedia
import SiloSystem

/// What a registered download and its manifest mean for the transfer (pure).
struct ManagedRow: Hashable, Sendable {
  /// What comes next.
  enum Step: Hashable, Sendable {
    /// The file can be fetched, and was perhaps fetched before.
    case fetch
    /// The server still makes it.
    case wait
  }

  let row: DownloadRow

  /// What to do with a row of this status.
  ///
  /// - Throws: `DownloadError`: `unavailable` when the server could not make the file, `notFound` when it is given out no more.
  func step() throws -> Step {
    switch row.status {
    case .ready, .downloading, .completed: return .fetch
    case .preparing, .queued: return .wait
    case .revoked, .cancelled:
      throw DownloadError(.notFound, "The server does not give this download out any more.")
    case .failed:
      throw DownloadError(.unavailable, "The server could not make the file.")
    default:
      throw DownloadError(
        .unavailable,
        "The server calls this download '\(Redaction.cut(row.status.rawValue, to: 40))'.")
    }
  }

  /// The digest that the file must have; `nil` when the manifest tells none that can be checked.
  ///
  /// The server's hash is that of its source (facts, section 3), and says nothing of a file that was made from it.
  static func digest(_ manifest: OfflineManifest) -> ExpectedDigest? {
    guard (manifest.deliveryFormat ?? .original) == .original,
      let hash = manifest.integrity?.mediaFileHash, ExpectedDigest.isHexadecimal(hash)
    else { return nil }
    switch hash.utf8.count {
    case 16: return ExpectedDigest(.oshash, hexadecimal: hash, origin: .manifest)
    case 64: return ExpectedDigest(.sha256, hexadecimal: hash, origin: .manifest)
    default: return nil
    }
  }

  /// Refuses a manifest of another download, or of another revision.
  ///
  /// - Throws: `DownloadError.integrity`.
  func check(_ manifest: OfflineManifest) throws {
    guard manifest.downloadID == row.id else {
      throw DownloadError(.integrity, "The server sent the manifest of another download.")
    }
    guard manifest.revision == row.revision else {
      throw Self.changed
    }
  }

  /// The length that the file must have; `nil` when the manifest tells none.
  static func byteCount(_ manifest: OfflineManifest) -> Int64? {
    (manifest.integrity?.expectedByteCount ?? manifest.fileSize).flatMap { $0 > 0 ? $0 : nil }
  }

  /// The error of a row that is another one than when it was begun.
  static var changed: DownloadError {
    DownloadError(
      .temporary, "The server changed the file meanwhile. Try again.", cause: Changed())
  }

  /// The row or its manifest is another one than at the beginning.
  struct Changed: Error {}

  /// Whether what went wrong may come of a file that changed on the server, or that it makes anew.
  static func mayChange(_ error: DownloadError) -> Bool {
    error.code == .integrity || error.cause is Changed || error.status == 409
      || error.status == 404
  }
}
