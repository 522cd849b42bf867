import SiloMedia
import SiloSystem

import struct Foundation.URL

// The chosen tracks, written into one file.

extension DownloadRun {
  /// Writes the chosen tracks of `inputs`, checks the file and gives it its name.
  func package(
    _ container: OutputContainer, inputs: [PackageInput], inputOf: (Int?) -> Int?,
    verified: [ExpectedDigest.Algorithm] = []
  ) async throws -> FinishedDownload {
    let plan = try plan(container, inputs: inputs, inputOf: inputOf)
    announcePackaging(plan)
    let digest = PartDigest(job.part)
    return try await finish(try await write(plan, digest), digest, verified: verified)
  }

  /// What is written out of `inputs`.
  func plan(
    _ container: OutputContainer, inputs: [PackageInput], inputOf: (Int?) -> Int?,
    chapters: [Chapter]? = nil
  ) throws -> PackagePlan {
    var plan = try PackagePlan(
      selection: job.selection, inventory: job.opened.inventory, inputs: inputs,
      inputOf: inputOf, container: container)
    if let chapters { plan.chapters = chapters }
    return plan
  }

  /// Tells that the file is being written, and what it will not say.
  func announcePackaging(_ plan: PackagePlan) {
    events(.phase(.packaging))
    for loss in plan.losses { events(.warning(loss)) }
  }

  /// Writes the partial file, and tells what was guessed.
  func write(_ plan: PackagePlan, _ digest: PartDigest) async throws -> MediaInventory {
    try await writePart(plan, digest) { [events] in events(.warning($0)) }
  }

  /// Writes the partial file, whose digest begins when it is written; nothing of it stays after an error.
  func writePart(
    _ plan: PackagePlan, _ digest: PartDigest, warning: @escaping @Sendable (String) -> Void
  ) async throws -> MediaInventory {
    // A partial that was meant to be the file itself is written over: its journal must not vouch for these bytes.
    TransferJournal.remove(job.beside(".part.journal").path)
    do {
      return try await plan.write(to: job.part, warning: warning) { digest.begin() }
    } catch {
      digest.cancel()
      // It is made anew from what was fetched, which stays.
      AtomicFile.remove(job.part.path)
      throw error
    }
  }

  /// Checks the written partial file and gives it its name; nothing of it stays after an error.
  ///
  /// - Parameter verified: The digests of the source that were right.
  func finish(
    _ inventory: MediaInventory, _ digest: PartDigest,
    verified: [ExpectedDigest.Algorithm] = []
  ) async throws -> FinishedDownload {
    events(.phase(.verifying))
    do {
      try await verify(job.part, found: inventory)
      let (byteCount, sha256) = try await digest.value()
      try await name(sha256: sha256)
      return FinishedDownload(
        path: job.place.url, byteCount: byteCount, sha256: sha256, inventory: inventory,
        verified: ["structure", "tracks"] + verified.map(\.rawValue))
    } catch {
      digest.cancel()
      AtomicFile.remove(job.part.path)
      throw error
    }
  }
}
