import SiloMedia
import SiloSystem
import Synchronization

import struct Foundation.URL

// HLS: spools, and one file made of them, where that is worth it while they grow.

extension DownloadRun {
  /// A file that was written while its segments arrived.
  private struct EarlyFile: Sendable {
    var inventory: MediaInventory
    var digest: PartDigest
    var warnings: [String]
  }

  /// Fetches the chosen renditions, and packages them.
  func fetchPresentation(_ opened: OpenedPresentation) async throws -> FinishedDownload {
    // What a killed run gave back may be something else by now; each rendition is forgotten once.
    while true {
      do { return try await fetch(opened) } catch {
        // Written while segments arrived, it may be whole although they failed: without them it is nobody's.
        AtomicFile.remove(job.part.path)
        guard error is SpoolStartsOver else { throw error }
      }
    }
  }

  private func fetch(_ opened: OpenedPresentation) async throws -> FinishedDownload {
    guard case .packaged(let container) = job.delivery else {
      throw DownloadError(.usage, "an HLS presentation has no file to be stored as it is")
    }
    let chosen = renditions(of: opened)
    let complete = try await PlaylistCompletion(
      reader: DocumentReader(client: client), variables: opened.variables
    )
    .complete(opened.presentation, chosen) { events(.warning($0)) }
    events(.phase(.transferring))
    let transfer = try SegmentTransfer(
      client: client, folder: job.beside(".parts"), allowsGaps: job.request.allowsGaps,
      fetched: opened.fetched)
    let spooled = try await transfer.open(
      complete.map { RenditionRequest(name: $0.name, form: $0.form, playlist: $0.playlist) })
    let plan = try plan(
      container, inputs: spooled.spools.map { .arriving($0) },
      inputOf: { index in index.flatMap { chosen.firstIndex(of: $0) } },
      chapters: GapChapters.marking(spooled.gaps, in: opened.inventory.chapters))
    // A segment that is journalled is never asked for again, nor is the first one for a look.
    await noted.value
    async let early = isEarly(spooled) ? writeEarly(plan) : nil
    let declared = job.selection.size.byteCount
    let meter = ProgressMeter(total: declared, events: events)
    try await transfer.fill {
      meter.report(bytes: $0.byteCount, total: $0.expectedByteCount(declared: declared))
    }
    // Beside the end of the packaging: the file does not wait for a journal that goes with its spools.
    async let closed: Void = transfer.close()
    let result: FinishedDownload
    do {
      announcePackaging(plan)
      if let early = await early {
        for warning in early.warnings { events(.warning(warning)) }
        result = try await finish(early.inventory, early.digest)
      } else {
        await closed
        let digest = PartDigest(job.part)
        result = try await finish(try await write(freeing(spooled, plan), digest), digest)
      }
    } catch let error as MediaError where error.code == .corrupt {
      // What was fetched is damaged: the next run asks for it again.
      await closed
      SideFiles(job: job).removeParts()
      throw error
    }
    await closed
    SideFiles(job: job).removeParts()
    guard spooled.gaps.isEmpty else { throw GapChapters.failure(spooled.gaps, result.path) }
    return result
  }

  /// The plan that gives blocks of its spools back where the disk needs it.
  private func freeing(_ spooled: SpooledRenditions, _ plan: PackagePlan) -> PackagePlan {
    let free = DiskSpace.fileSystem(beside: job.place.url)?.freeByteCount
    guard PackagingRule.isFreeing(spooled: spooled.byteCount, free: free),
      let release = try? SpoolRelease(
        spooled, folder: job.beside(".parts").path, output: job.part.path)
    else { return plan }
    var plan = plan
    plan.inputs = release.renditions.map { .arriving($0) }
    return plan
  }

  private func isEarly(_ spooled: SpooledRenditions) -> Bool {
    PackagingRule.isEarly(
      expected: job.selection.size.byteCount,
      free: DiskSpace.fileSystem(beside: job.place.url)?.freeByteCount,
      stored: DiskSpace.used(by: job.beside(".parts")), hasGaps: !spooled.gaps.isEmpty)
  }

  /// Writes the file while its segments arrive; `nil` when that came to nothing, for whatever reason.
  ///
  /// It is then written when everything is there, and what is really wrong shows again.
  private func writeEarly(_ plan: PackagePlan) async -> EarlyFile? {
    let warnings = Mutex<[String]>([])
    let digest = PartDigest(job.part)
    do {
      let inventory = try await writePart(plan, digest) { warning in
        warnings.withLock { $0.append(warning) }
      }
      return EarlyFile(
        inventory: inventory, digest: digest, warnings: warnings.withLock { $0 })
    } catch {
      return nil
    }
  }

  /// The indices of the renditions that hold chosen tracks, in order.
  private func renditions(of opened: OpenedPresentation) -> [Int] {
    let inventory = opened.inventory
    let places =
      inventory.video.filter { job.selection.video.contains($0.id) }.map(\.place)
      + inventory.audio.filter { job.selection.audio.contains($0.id) }.map(\.place)
      + inventory.subtitles.filter { job.selection.subtitles.contains($0.id) }.map(\.place)
    var indices: Set<Int> = []
    for case .rendition(let index, _) in places { indices.insert(index) }
    return indices.sorted()
  }
}
