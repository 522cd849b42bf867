import SiloSystem

public import struct Foundation.URL

extension PackagePlan {
  /// Writes the tracks into one file, packets untouched, and looks into it again to see that all of it is there.
  ///
  /// Runs on a thread of its own with bounded memory; the file is durable at the end and is left as it is after an
  /// error. `progress` is called from that thread about once a megabyte, `warning` once for each thing that the input
  /// leaves open and that was guessed, `written` when every byte is in the file and it is brought to the disk: whoever reads
  /// it from then on finds it in memory. Throws `MediaError`: `.notFound` for a track
  /// that an input does not have, `.unsupported` for what one file cannot hold, `.noSpace`, `.corrupt` when what was
  /// written differs from what was asked; `CancellationError` soon after the task was cancelled.
  public func write(
    to file: URL, progress: @escaping @Sendable (PackageProgress) -> Void = { _ in },
    warning: @escaping @Sendable (String) -> Void = { _ in },
    written: @escaping @Sendable () -> Void = {}
  ) async throws -> MediaInventory {
    let plan = self
    return try await onOwnThread(named: "package") { cancel in
      do {
        let writer = try PackageWriter(
          plan, path: file.path, cancel: cancel, progress: progress, warning: warning)
        let facts = try writer.write(written)
        let written = try MediaInventory.probeBlocking(.file(file), cancel: cancel)
        try PackageCheck(plan, facts: facts, subject: file.path).check(written)
        return written
      } catch let error as LibavError {
        throw error.mediaError(subject: file.path)
      } catch let error as SystemCallError {
        throw MediaError(
          error.isOutOfSpace ? .noSpace : .inputOutput, "\(error)", subject: file.path, cause: error
        )
      }
    }
  }
}
