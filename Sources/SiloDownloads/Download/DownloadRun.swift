import Foundation
import SiloMedia
import SiloSystem

/// One run of a job: fetch, verify, package, name.
///
/// Whatever ends it, what arrived stays for the next run.
struct DownloadRun: Sendable {
  let job: DownloadJob
  let client: HTTPClient
  /// The room that it was promised.
  let reservation: SpaceReservation
  var events: @Sendable (DownloadEvent) -> Void
  /// What the server's answers say of the digests of a plain file.
  private let answers = AnswerDigests()
  /// Ends when what the first segments told is noted: before that, no segment may be journalled.
  let noted: Task<Void, Never>
  /// Records a file that is about to get its name, by its path now and its SHA-256.
  ///
  /// Recorded first: a crash before the name leaves a record of a file that is not there, which counts for nothing; the other
  /// way round a finished file would not be known as ours.
  let record: @Sendable (_ part: URL, _ sha256: String) async throws -> Void

  /// Carries the job to its end.
  func perform() async throws -> FinishedDownload {
    do {
      try job.place.makeFolder()
      let lock = try OutputLock.take(
        job.beside(".part.lock").path, of: job.place.url.path, by: job.sourceName)
      try SideFiles(job: job).claim(isLeftOver: lock.isLeftOver)
      let pause = SpacePause(
        policy: job.request.whenDiskIsFull, reservation: reservation, events: events)
      let result = try await pause.run { events in
        var run = self
        run.events = events
        return try await run.fetch()
      }
      lock.release()
      return result
    } catch let error as SystemCallError {
      throw DownloadError(writing: error)
    }
  }

  private func fetch() async throws -> FinishedDownload {
    switch job.opened {
    case .file(let file): try await fetchFile(file)
    case .presentation(let opened): try await fetchPresentation(opened)
    }
  }

  // MARK: - A plain file

  private func fetchFile(_ file: OpenedFile) async throws -> FinishedDownload {
    switch (file.place, job.delivery) {
    case (.local(let url), .asStored):
      return try await copy(url, file)
    case (.local(let url), .packaged(let container)):
      events(.phase(.verifying))
      let verified = try await compare(url)
      return try await package(
        container, inputs: [.file(try .file(url))], inputOf: { $0 == nil ? 0 : nil },
        verified: verified)
    case (.web(let url), .asStored):
      return try await store(try await transfer(url, file, to: job.part), file)
    case (.fetched(_, let transferred), .asStored):
      return try await store(transferred, file)
    case (.web(let url), .packaged(let container)):
      if let whole = file.inventory.size.byteCount, let kept = job.selection.size.byteCount,
        kept < whole
      {
        events(
          .warning(
            "all of the file is transferred (\(ByteCount.text(whole))) to keep \(ByteCount.text(kept)) of it"
          ))
      }
      return try await cut(
        try await transfer(url, file, to: job.beside(".source.part")), file, to: container)
    case (.fetched(_, let transferred), .packaged(let container)):
      return try await cut(transferred, file, to: container)
    }
  }

  /// The transferred file as it is.
  private func store(
    _ transferred: TransferredFile, _ file: OpenedFile
  ) async throws -> FinishedDownload {
    let verified = try await prove(transferred, file)
    try await record(transferred.partURL, transferred.sha256)
    try naming {
      try transferred.commit(to: job.place.url, isReplacing: job.request.overwrites)
    }
    return stored(file, transferred.byteCount, transferred.sha256, verified)
  }

  /// The chosen tracks of the transferred file.
  private func cut(
    _ transferred: TransferredFile, _ file: OpenedFile, to container: OutputContainer
  ) async throws -> FinishedDownload {
    let verified = try await prove(transferred, file)
    let result = try await package(
      container, inputs: [.file(try .file(transferred.partURL))],
      inputOf: { $0 == nil ? 0 : nil }, verified: verified)
    try keepOrRemove(transferred, file)
    return result
  }

  /// Checks digest and structure; what is damaged is of no use to the next run.
  private func prove(_ transferred: TransferredFile, _ file: OpenedFile) async throws
    -> [ExpectedDigest.Algorithm]
  {
    do {
      events(.phase(.verifying))
      let verified = try await compare(
        transferred.partURL, known: transferred.digests,
        said: answers.claims(beside: transferred.head))
      try await verify(transferred.partURL, expecting: file.inventory)
      return verified
    } catch let error as DownloadError where error.code == .integrity {
      transferred.discard()
      throw error
    }
  }

  /// Compares the digests that the user, or the server, gave; returns those that are right.
  private func compare(
    _ url: URL, known: [Digest.Algorithm: String] = [:],
    said: DigestClaims = DigestClaims()
  ) async throws -> [ExpectedDigest.Algorithm] {
    let claims = DigestClaims(job.request.checksum.map { [$0] } ?? []) + said
    let verdict = try await claims.check(url, known: known)
    for warning in verdict.warnings { events(.warning(warning)) }
    return verdict.verified
  }

  private func transfer(_ url: URL, _ file: OpenedFile, to part: URL) async throws
    -> TransferredFile
  {
    events(.phase(.transferring))
    let meter = ProgressMeter(total: file.inventory.size.byteCount, events: events)
    let registered = job.request.registered
    let file = try await FileTransfer(
      client: client, request: HTTPRequest(url, purpose: .media), partial: part,
      identity: registered?.name, expectedByteCount: registered?.expectedByteCount,
      digests: { [answers, job] in answers.note($0, asked: job.request.checksum) }
    )
    .run { meter.report(bytes: $0, total: $1) }
    try await registered?.stillHolds()
    return file
  }

  private func copy(_ url: URL, _ file: OpenedFile) async throws -> FinishedDownload {
    events(.phase(.transferring))
    let meter = ProgressMeter(total: file.inventory.size.byteCount, events: events)
    do {
      let (byteCount, sha256) = try await LocalCopy(source: url, part: job.part)
        .run { meter.report(bytes: $0, total: nil) }
      events(.phase(.verifying))
      let verified = try await compare(job.part, known: [.sha256: sha256])
      try await verify(job.part, expecting: file.inventory)
      try await name(sha256: sha256)
      return stored(file, byteCount, sha256, verified)
    } catch {
      // It has no journal to continue by, and the source is still there.
      AtomicFile.remove(job.part.path)
      throw error
    }
  }

  private func stored(
    _ file: OpenedFile, _ byteCount: Int64, _ sha256: String,
    _ verified: [ExpectedDigest.Algorithm]
  ) -> FinishedDownload {
    let others = verified.filter { $0 != .sha256 }.map(\.rawValue)
    return FinishedDownload(
      path: job.place.url, byteCount: byteCount, sha256: sha256, inventory: file.inventory,
      verified: ["length", "sha-256", "structure"] + others)
  }

  /// The file as downloaded stays beside the packaged one when asked for; its name never takes another file's place.
  private func keepOrRemove(_ transferred: TransferredFile, _ file: OpenedFile) throws {
    guard job.request.keepsOriginalFile else {
      transferred.discard()
      return
    }
    let folder = job.place.url.deletingLastPathComponent()
    var name = FileName(file.names.disposition ?? file.names.lastComponent ?? "") ?? .unnamed
    if folder.appending(component: name.description).path == job.place.url.path {
      name = FileName("\(name.stem).original.\(name.suffix)") ?? name
    }
    name = name.fitting(
      FileName.byteLimit(inFolderOf: DiskSpace.nameByteLimit(beside: job.place.url)))
    let kept = folder.appending(component: name.description)
    guard job.request.overwrites || !FileManager.default.fileExists(atPath: kept.path) else {
      events(
        .warning("\(kept.lastPathComponent) is there already, so the original file was not kept"))
      transferred.discard()
      return
    }
    try transferred.commit(to: kept, isReplacing: job.request.overwrites)
  }

  /// Checks the structure of a file that should hold `inventory`.
  func verify(_ url: URL, expecting inventory: MediaInventory) async throws {
    try refuse(try await StructureCheck.check(try .file(url), expecting: inventory))
  }

  /// Checks the structure of a file in which `inventory` was just found.
  func verify(_ url: URL, found inventory: MediaInventory) async throws {
    try refuse(try await StructureCheck.check(try .file(url), found: inventory))
  }

  private func refuse(_ faults: [MediaFault]) throws {
    guard let fault = faults.first else { return }
    throw DownloadError(
      .integrity, "the file is damaged: \(fault)",
      subject: Redaction.printable(job.place.url.lastPathComponent))
  }

  /// Gives the finished partial its name; the caller synced it.
  func name(sha256: String) async throws {
    try await record(job.part, sha256)
    try naming {
      try AtomicFile.renameDurably(
        job.part.path, to: job.place.url.path, isReplacing: job.request.overwrites)
    }
  }

  /// Takes the step that gives the file its name; when only the folder could not be synced, nobody will need what it was made
  /// of all the same.
  private func naming(_ step: () throws -> Void) throws {
    do { try step() } catch {
      let isNamed = !FileManager.default.fileExists(atPath: job.part.path)
      if isNamed { SideFiles(job: job).clear() }
      throw error
    }
  }
}
