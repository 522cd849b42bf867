import SiloMedia

// HLS: spools, then one file.

extension DownloadRun {
  /// Fetches the chosen renditions, and packages them.
  func fetchPresentation(_ opened: OpenedPresentation) async throws -> FinishedDownload {
    guard case .packaged(let container) = job.delivery else {
      throw DownloadError(.usage, "an HLS presentation has no file to be stored as it is")
    }
    let chosen = renditions(of: opened)
    let complete = try await PlaylistCompletion(
      reader: DocumentReader(client: client), variables: opened.variables
    )
    .complete(opened.presentation, chosen) { events(.warning($0)) }
    events(.phase(.transferring))
    let declared = job.selection.size.byteCount
    let meter = ProgressMeter(total: declared, events: events)
    let parts = job.beside(".parts")
    let transfer = try SegmentTransfer(
      client: client, folder: parts, allowsGaps: job.request.allowsGaps, fetched: opened.fetched)
    let spooled = try await transfer.run(
      complete.map { RenditionRequest(name: $0.name, form: $0.form, playlist: $0.playlist) }
    ) { meter.report(bytes: $0.byteCount, total: $0.expectedByteCount(declared: declared)) }
    let result: FinishedDownload
    do {
      result = try await package(
        container, inputs: spooled.spools.map { .rendition($0) },
        inputOf: { index in index.flatMap { chosen.firstIndex(of: $0) } },
        chapters: GapChapters.marking(spooled.gaps, in: opened.inventory.chapters))
    } catch let error as MediaError where error.code == .corrupt {
      // What was fetched is damaged: the next run asks for it again.
      SideFiles(job: job).removeParts()
      throw error
    }
    SideFiles(job: job).removeParts()
    guard spooled.gaps.isEmpty else { throw GapChapters.failure(spooled.gaps, result.path) }
    return result
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
