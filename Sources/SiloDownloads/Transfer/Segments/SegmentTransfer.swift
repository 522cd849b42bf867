import SiloMedia
import SiloStore
import SiloSystem

package import struct Foundation.URL

/// Fetches the segments of several renditions side by side, and appends each rendition's in order to one spool file.
///
/// Everything lies in one folder: a spool for each rendition and `journal.sqlite`. A rerun over the same folder goes on
/// after the last segment that the journal has. Whatever the length of the playlists, what is held in memory is bounded.
package actor SegmentTransfer {
  /// How many requests of one rendition may be ahead of the one that is appended next.
  static let window = 64
  /// The most bytes that wait in memory, beyond the requests whose turn it is.
  static let heldByteCount: Int64 = 64 << 20
  /// After so many bytes the spools are synced in the background.
  static let syncByteCount: Int64 = 16 << 20
  /// After so long too.
  static let syncInterval = Duration.seconds(1)

  /// How long a transfer that ends early waits for its last sync.
  static let lastSyncLimit = Duration.milliseconds(600)

  private let fetch: PartFetch
  private let folder: String
  private let requestCount: Int
  private let allowsGaps: Bool
  private let waiting: Waiting
  private let look: Duration?
  private nonisolated let executor: BlockingExecutor

  private var renditions: [RenditionProgress] = []
  private var journal: SpoolJournal?
  private var lock: OwnedDescriptor?
  private var progress = SegmentProgress()
  private var report: @Sendable (SegmentProgress) -> Void = { _ in }
  private var failure: (any Error)?
  private var running = 0
  private var inFlight = InFlightRule(most: 1, requestCounts: [], start: .zero)
  private var isSyncing = false
  /// Counts how often spools were opened.
  private var opening = 0
  private var lastSync = Duration.zero
  private var fetchedByteCount: Int64 = 0
  private var fetchedJobCount: Int64 = 0

  /// A transfer over HTTP into `folder`, which is made when it is not there.
  ///
  /// - Parameter fetched: What was brought before, and is not asked for again.
  package init(
    client: HTTPClient, folder: URL, allowsGaps: Bool = false, fetched: FetchedSegments? = nil
  ) throws {
    // Twice as many requests as connections: each connection has the next one waiting when one ends.
    try self.init(
      fetcher: SegmentFetcher(client, fetched: fetched), folder: folder,
      requestCount: client.options.connectionsPerHost * 2, allowsGaps: allowsGaps,
      look: fetched?.longestFetch)
  }

  /// A transfer by any means of fetching.
  package init(
    fetcher: any SegmentFetching, folder: URL, requestCount: Int = 16, allowsGaps: Bool = false,
    look: Duration? = nil, waiting: Waiting = .system
  ) throws {
    fetch = PartFetch(fetcher: fetcher, keys: KeyRing(fetcher), waiting: waiting)
    self.folder = folder.path(percentEncoded: false)
    self.requestCount = max(1, requestCount)
    self.allowsGaps = allowsGaps
    self.waiting = waiting
    self.look = look
    executor = try BlockingExecutor(named: "segments")
  }

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  private struct Outcome: Sendable {
    var rendition: Int
    var job: Int
    var result: Result<[ProvenPart], any Error>
  }

  /// Opens the spools of `requests`, with what earlier runs left in them, and holds them until the transfer has run.
  ///
  /// - Returns: The spools, whose tables fill while the transfer runs and are closed when it ends early.
  /// - Throws: `DownloadError`: `locked` when another process uses the folder; `space`; `integrity` for a gap.
  package func open(_ requests: [RenditionRequest]) throws -> SpooledRenditions {
    do {
      try prepare(requests)
      return SpooledRenditions(
        spools: renditions.map(\.input), ids: renditions.map(\.id),
        gaps: renditions.flatMap(\.plan.gaps))
    } catch {
      close()
      throw Self.domain(error)
    }
  }

  /// Fetches what is missing of the spools that were opened; returns when every one is complete.
  ///
  /// Journal and folder are held until `close`, which takes its time: whoever has everything need not wait for it. After an
  /// error they are closed.
  ///
  /// - Parameter progress: Called on the transfer's thread after each segment, and once at the start.
  /// - Throws: `DownloadError`: `integrity` naming the segment that cannot be had, with everything before it kept;
  ///   `space`; `CancellationError`.
  package func fill(
    progress: @escaping @Sendable (SegmentProgress) -> Void = { _ in }
  ) async throws {
    do {
      report = progress
      progress(self.progress)
      try await transfer()
    } catch {
      close()
      throw Self.domain(error)
    }
  }

  /// Lets go of journal and folder: what is in the journal's log is brought to the disk.
  package func close() {
    // Whoever waits for more waits in vain.
    for rendition in renditions { rendition.table.close(CancellationError()) }
    journal = nil
    lock = nil
    report = { _ in }
  }

  /// Opens the spools of `requests` and fetches what is missing of them, of a rendition that turns out to be another all.
  package func run(
    _ requests: [RenditionRequest],
    progress: @escaping @Sendable (SegmentProgress) -> Void = { _ in }
  ) async throws -> SpooledRenditions {
    while true {
      do {
        let spooled = try open(requests)
        try await fill(progress: progress)
        close()
        return spooled
      } catch is SpoolStartsOver {
        continue
      }
    }
  }

  private static func domain(_ error: any Error) -> any Error {
    switch error {
    case let error as SystemCallError: DownloadError(writing: error)
    case let error as StoreError: DownloadError(journal: error)
    default: error
    }
  }

  private func transfer() async throws {
    lastSync = waiting.now()
    inFlight = InFlightRule(
      most: requestCount, requestCounts: renditions.map(\.segmentJobCount), start: lastSync,
      look: look)
    await withTaskGroup(of: Outcome.self) { group in
      while true {
        while failure == nil, running < inFlight.count, let (rendition, job) = nextJob() {
          running += 1
          let (fetch, plan) = (fetch, renditions[rendition].plan)
          let request = renditions[rendition].jobs[job]
          group.addTask {
            let parts = plan.parts[request.parts]
            do {
              return Outcome(
                rendition: rendition, job: job,
                result: .success(try await fetch.run(request, parts, plan.form)))
            } catch {
              return Outcome(rendition: rendition, job: job, result: .failure(error))
            }
          }
        }
        if let spools = spoolsToSync() {
          isSyncing = true
          // Not a child: a transfer that has everything does not wait for it.
          Task { [opening] in synced(await SpoolSync.run(spools), opening: opening) }
        }
        guard let outcome = await group.next() else { break }
        take(outcome)
        if failure is CancellationError || Task.isCancelled { group.cancelAll() }
      }
    }
    if failure != nil || Task.isCancelled { await keepDurably() }
    if let failure { throw failure }
    try Task.checkCancellation()
  }

  /// Syncs once more what a transfer that ends early leaves; what a slow disk does not take in time is not vouched for.
  private func keepDurably() async {
    let spools = renditions.map(\.pending)
    guard spools.contains(where: { $0.end > $0.durable }) else { return }
    let ends = await SpoolSync.run(spools, within: Self.lastSyncLimit, waiting)
    if let ends { try? mark(ends) }
  }

  private func take(_ outcome: Outcome) {
    let rendition = outcome.rendition
    running -= 1
    do {
      switch outcome.result {
      case .success(let parts):
        note(parts, of: renditions[rendition].jobs[outcome.job], rendition)
        renditions[rendition].hold(parts, of: outcome.job)
        try appendReady(rendition)
      case .failure(let error):
        throw explain(error, rendition)
      }
    } catch {
      // The first failure counts; what is on its way is still taken, so that little is lost.
      if failure == nil { failure = error }
    }
  }

  /// Takes what a sync made durable, of spools that were not opened anew meanwhile.
  private func synced(_ ends: [Int64]?, opening: Int) {
    guard opening == self.opening else { return }
    isSyncing = false
    lastSync = waiting.now()
    guard let ends else { return }
    do { try mark(ends) } catch { if failure == nil { failure = error } }
  }

  private func note(_ parts: [ProvenPart], of job: SpoolJob, _ rendition: Int) {
    let byteCount = parts.reduce(0) { $0 + Int64($1.bytes.count) }
    fetchedJobCount += 1
    fetchedByteCount += byteCount
    if renditions[rendition].plan.hasSegment(job) {
      inFlight.take(byteCount, of: rendition, at: waiting.now())
    }
  }

  private func mark(_ ends: [Int64]) throws {
    for index in renditions.indices {
      renditions[index].durable = max(renditions[index].durable, ends[index])
    }
    try journal?.mark(zip(renditions, ends).map { ($0.id, $1) })
  }

  /// The rendition that is furthest behind goes first, so that all arrive together.
  private func nextJob() -> (rendition: Int, job: Int)? {
    let held = heldByteCount()
    let typical = fetchedJobCount == 0 ? 0 : fetchedByteCount / fetchedJobCount
    let isFull = held + Int64(running + 1) * typical > Self.heldByteCount
    let candidates = renditions.indices.filter { index in
      let rendition = renditions[index]
      guard rendition.nextStart != nil else { return false }
      return rendition.lead == 0 || (!isFull && rendition.lead < Self.window)
    }
    let next = candidates.min {
      (renditions[$0].nextStart ?? .zero) < (renditions[$1].nextStart ?? .zero)
    }
    return next.map { ($0, renditions[$0].takeJob()) }
  }

  private func heldByteCount() -> Int64 {
    renditions.reduce(0) { sum, rendition in
      rendition.held.values.reduce(sum) { $0 + $1.reduce(0) { $0 + Int64($1.bytes.count) } }
    }
  }

  private func appendReady(_ index: Int) throws {
    while let parts = renditions[index].takeHead() {
      for part in parts {
        if part.index < renditions[index].ranges.count {
          try refill(part, of: index)
          continue
        }
        // After a write that failed nothing may follow it.
        guard part.index == renditions[index].ranges.count else { return }
        let spool = renditions[index].spool
        try spool.descriptor.write(part.bytes, at: renditions[index].end)
        let range = renditions[index].append(part.bytes.count)
        let planned = renditions[index].plan.parts[part.index]
        try journal?.insert(
          .init(identity: planned.identity, bytes: range, digest: part.digest), at: part.index,
          of: renditions[index].id)
        renditions[index].publish()
        count(planned, range, index)
        report(progress)
      }
    }
  }

  /// Puts a part that was given back into its old place.
  private func refill(_ part: ProvenPart, of index: Int) throws {
    guard let digest = renditions[index].missing[part.index] else { return }
    let (id, range) = (renditions[index].id, renditions[index].ranges[part.index])
    guard part.digest == digest, part.bytes.count == range.count else {
      try journal?.keep(0, end: 0, of: id)
      throw SpoolStartsOver()
    }
    try renditions[index].spool.descriptor.write(part.bytes, at: range.lowerBound)
    try journal?.markPresent([(id, part.index)])
    renditions[index].settle(part.index)
    renditions[index].publish()
    count(renditions[index].plan.parts[part.index], range, index)
    report(progress)
  }

  private func count(_ part: SpoolPart, _ range: Range<Int64>, _ rendition: Int) {
    progress.byteCount += Int64(range.count)
    progress.shares[rendition].byteCount += Int64(range.count)
    progress.shares[rendition].duration += part.segment == nil ? .zero : part.duration
    progress.segmentCount += part.segment == nil ? 0 : 1
  }
}

// MARK: - Opening, syncing, explaining

extension SegmentTransfer {
  /// Opens journal and spools, and locks the folder.
  private func prepare(_ requests: [RenditionRequest]) throws {
    let plans = try requests.map { try SpoolPlan($0, allowsGaps: allowsGaps) }
    try AtomicFile.makeFolder(folder)
    let lock = try OwnedDescriptor.openFolder(folder)
    guard try lock.tryLock() else {
      throw DownloadError(
        .locked, "Another process is downloading this.",
        subject: URL(filePath: folder).lastPathComponent)
    }
    self.lock = consume lock
    journal = try SpoolJournal.open(folder + "/journal.sqlite", boot: SpoolFile.boot())
    renditions = []
    for plan in plans {
      guard let known = try journal?.rendition(plan.name) else { break }
      let rendition = try SpoolRestore.open(plan, known, folder) { count, end in
        try journal?.keep(count, end: end, of: known.id)
      }
      renditions.append(rendition)
    }
    failure = nil
    (running, isSyncing, fetchedByteCount, fetchedJobCount) = (0, false, 0, 0)
    opening += 1
    progress = SegmentProgress()
    for (index, rendition) in renditions.enumerated() {
      progress.shares.append(SegmentProgress.Share())
      for part in rendition.plan.parts where part.segment != nil {
        progress.segmentTotal += 1
        progress.shares[index].durationTotal += part.duration
      }
      for (place, range) in rendition.ranges.enumerated() where rendition.missing[place] == nil {
        count(rendition.plan.parts[place], range, index)
      }
    }
  }

  private func spoolsToSync() -> [SpoolSync.Pending]? {
    guard !isSyncing, failure == nil else { return nil }
    let pending = renditions.reduce(0) { $0 + $1.settledEnd - $1.durable }
    guard
      pending >= Self.syncByteCount
        || pending > 0 && waiting.now() - lastSync >= Self.syncInterval
    else { return nil }
    return renditions.map(\.pending)
  }

  private func explain(_ error: any Error, _ rendition: Int) -> any Error {
    guard let failure = error as? PartFailure else { return error }
    let plan = renditions[rendition].plan
    return DownloadError(
      part: plan.place(of: failure.part), of: plan.name, url: plan.parts[failure.part].url,
      reason: failure.reason)
  }
}
