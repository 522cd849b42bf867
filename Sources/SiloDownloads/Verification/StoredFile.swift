public import SiloMedia
import SiloSystem

public import struct Foundation.URL

/// A file on disk and what is known of it, so that damage is found years after the download.
///
/// What is not known is not checked: a file of which nothing is known is still walked to its end, see `StructureCheck`.
///
///     let film = StoredFile(url, byteCount: 640_012_345, sha256: "4fe1…")
///     let report = try await film.verify { read, total in bar.show(read, of: total) }
///     if !report.faults.isEmpty { fetchAgain(film) }
public struct StoredFile: Sendable {
  /// Where it lies; a symbolic link is followed.
  public var url: URL
  /// The length in bytes when it was finished.
  public var byteCount: Int64?
  /// The SHA-256 in hexadecimal when it was finished: what finds a single changed bit.
  public var sha256: String?
  /// What was in it when it was finished: tracks, their order, languages and codecs, and how long it plays.
  public var inventory: MediaInventory?
  /// How long it plays, where that alone is known.
  public var duration: Duration?
  /// What others say of its digests.
  public var claims: DigestClaims

  /// The file at `url` and what is known of it.
  public init(
    _ url: URL, byteCount: Int64? = nil, sha256: String? = nil, inventory: MediaInventory? = nil,
    duration: Duration? = nil, claims: DigestClaims = DigestClaims()
  ) {
    self.url = url
    self.byteCount = byteCount
    self.sha256 = sha256
    self.inventory = inventory
    self.duration = duration
    self.claims = claims
  }

  /// Compares the file with all that is known of it, and walks its container to the end.
  ///
  /// Reads the file once where a digest is known, in pieces of 1 MiB on a thread of its own, and a small part of it where none
  /// is. A file that is missing, unreadable or of another length is not read any further. Nothing is changed.
  ///
  /// - Parameter progress: Called on that thread about every MiB with the bytes that were read and the length.
  /// - Throws: `CancellationError` only: everything else that goes wrong is a fault in the report.
  public func verify(
    progress: @escaping @Sendable (_ byteCount: Int64, _ total: Int64) -> Void = { _, _ in }
  ) async throws -> StoredFileReport {
    var report = StoredFileReport(notes: claims.ignored.map(\.description))
    let length: Int64
    do {
      length = try await onOwnThread(named: "verify") { [url] _ in try Self.byteCount(of: url) }
    } catch {
      report.add(try Self.fault(error))
      return report
    }
    if let byteCount {
      guard byteCount == length else {
        report.add(
          StoredFileFault(.byteCount, "It has \(length) bytes, and \(byteCount) were stored."))
        return report
      }
      report.verified.append("length")
    }
    // Both read it: at the same time, it comes from the disk once.
    async let structure = structureFaults()
    do { try await compareDigests(length, progress, &report) } catch {
      report.add(try Self.fault(error))
    }
    do {
      let found = try await structure
      report.faults += found.map(StoredFileFault.init(structure:))
      if found.isEmpty { report.verified.append("structure") }
    } catch {
      report.add(try Self.fault(error))
    }
    return report
  }

  private static func byteCount(of url: URL) throws -> Int64 {
    let length = try OwnedDescriptor.open(url.path, .read).byteCount()
    // Refuses a folder and what else is no file.
    return try FileByteSource(url).byteCount ?? length
  }

  /// The digests of which nobody doubts that they are of this file: the library's own, and those of others.
  private var expected: [ExpectedDigest] {
    let own = sha256.map { ExpectedDigest(.sha256, hexadecimal: $0, origin: .library) }
    let others = claims.deciding.filter { $0.algorithm != .sha256 || own == nil }
    return (own.map { [$0] } ?? []) + others
  }

  private func compareDigests(
    _ length: Int64, _ progress: @escaping @Sendable (Int64, Int64) -> Void,
    _ report: inout StoredFileReport
  ) async throws {
    for digest in expected {
      let found = try await onOwnThread(named: "verify") { [url] flag in
        try FileDigest.digest(of: url, digest.algorithm, flag) { progress($0, length) }
      }
      if found == digest.hexadecimal {
        report.verified.append(digest.algorithm.rawValue)
      } else if let doubt = try digest.doubt(about: url) {
        report.notes.append(doubt)
      } else {
        report.add(StoredFileFault(.digest, digest.difference(found)))
      }
    }
  }

  private func structureFaults() async throws -> [MediaFault] {
    let media = try MediaSource.file(url)
    let faults = try await StructureCheck.check(media, expecting: inventory)
    guard let duration, inventory == nil, faults.isEmpty else { return faults }
    let found = try await MediaInventory.probe(media)
    var promised = found
    promised.duration = duration
    return StructureCheck.differences(of: found, from: promised)
  }

  /// What a failure to read is; cancelling is none.
  private static func fault(_ error: any Error) throws -> StoredFileFault {
    switch error {
    case is CancellationError: throw error
    case let error as SystemCallError where error.isNotFound:
      return StoredFileFault(.missing, "The file is not there.")
    case let error as MediaError: return StoredFileFault(.unreadable, error.message)
    default: return StoredFileFault(.unreadable, "The file cannot be read (\(error)).")
    }
  }
}
