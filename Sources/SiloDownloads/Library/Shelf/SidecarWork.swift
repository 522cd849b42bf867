import SiloContract
import SiloMedia
import SiloSystem

/// Makes what a plan wants beside a finished file: fetches what is missing, writes it, and notes it as ours.
///
/// What belongs to one file, and what belongs to a series, is worked at by one at a time of all processes; so what episodes
/// share is fetched once.
struct SidecarWork: Sendable {
  let plan: SidecarPlan
  let sheet: ItemSheet
  let fetch: SidecarFetch
  let store: StateStore
  let warn: @Sendable (String) -> Void
  var waiting = Waiting.system

  /// Which download and revision the files are of; what a series has stays.
  private func version(ofOwner owner: String) -> String {
    owner.hasSuffix("/") ? "" : "\(sheet.manifest.downloadID)/\(sheet.manifest.revision)"
  }

  /// Does it; everything that can be had is there, and durable, when this throws.
  ///
  /// - Throws: `DownloadError` for subtitles that are to come and did not, and for a disk that takes nothing;
  ///   `CancellationError`.
  func run() async throws {
    for warning in plan.warnings { warn(warning) }
    let owners = plan.entries.map(\.owner).reduce(into: [Sidecar.Owner]()) { owners, owner in
      if !owners.contains(owner) { owners.append(owner) }
    }
    var failure: (any Error)?
    for owner in owners {
      let entries = plan.entries.filter { $0.owner == owner }
      do {
        let lost = try await work(at: entries, of: owner)
        failure = failure ?? lost
      } catch let error as DownloadError {
        // What a series has is nothing that an episode lacks.
        guard case .series = owner, error.code != .space else { throw error }
        warn("beside the series: \(error)")
      }
    }
    if let failure { throw failure }
  }

  private var home: String { AtomicFile.folder(of: store.path) }

  /// Waits for the right to work at what `owner` has.
  private func lock(_ owner: Sidecar.Owner) async throws -> ItemLock {
    while true {
      if let lock = try ItemLock.take(besides: owner.text, in: home) { return lock }
      try await waiting.sleep(.milliseconds(100))
    }
  }

  /// - Returns: What did not come and has to.
  private func work(
    at entries: [SidecarPlan.Entry], of owner: Sidecar.Owner
  ) async throws -> (any Error)? {
    do {
      let lock = try await lock(owner)
      let result: Result<(any Error)?, any Error>
      do { result = .success(try await settle(entries, of: owner)) } catch {
        result = .failure(error)
      }
      lock.release()
      return try result.get()
    } catch let error as SystemCallError {
      throw DownloadError(writing: error)
    }
  }

  private func settle(
    _ entries: [SidecarPlan.Entry], of owner: Sidecar.Owner
  ) async throws -> (any Error)? {
    let media = fetch.media
    // What cannot be read is not known as ours, and stays.
    let read = try? await store.read { connection in
      // A picture of the series may turn out to be one of the episode.
      try SidecarTable.sidecars(of: owner, in: connection)
        + (media.map { try SidecarTable.sidecars(of: $0, in: connection) } ?? [])
    }
    let known = (read ?? nil) ?? []
    let byPath = Dictionary(known.map { ($0.path, $0) }) { first, _ in first }
    var written: [SidecarDisk.Written] = []
    var failure: (any Error)?
    do {
      for entry in entries {
        switch await state(of: entry, byPath) {
        case .there: continue
        case .foreign(let path):
          warn("\(Self.shown(path)) is not from here, or was changed; it is kept")
        case .wanted(let instead):
          do {
            written.append(try await make(entry, instead))
          } catch let error as DownloadError {
            let lost = try judge(error, entry)
            failure = failure ?? lost
          }
        }
      }
    } catch {
      for file in written { AtomicFile.remove(file.temporary) }
      throw error
    }
    try await name(written)
    try await removeStale(known, of: owner, besides: entries)
    return failure
  }

  private func state(
    of entry: SidecarPlan.Entry, _ known: [String: Sidecar]
  ) async -> SidecarDisk.State {
    let state = try? await onOwnThread(named: "sidecar") { _ in
      for path in SidecarDisk.paths(of: entry) { AtomicFile.remove(path + Sidecar.writing) }
      return SidecarDisk.state(of: entry, known: known) {
        $0.version == version(ofOwner: $0.owner)
      }
    }
    return state ?? .there
  }

  private func make(
    _ entry: SidecarPlan.Entry, _ instead: [String]
  ) async throws -> SidecarDisk.Written {
    let found = try await fetch.find(entry)
    let sidecar = Sidecar(
      path: found.path, owner: found.owner.text, kind: found.kind,
      version: version(ofOwner: found.owner.text),
      byteCount: 0, modified: 0)
    return try await onOwnThread(named: "sidecar") { _ in
      try SidecarDisk.write(found.bytes, for: sidecar, instead: instead)
    }
  }

  /// What a file that did not come means: a failure of the download, or a warning.
  private func judge(_ error: DownloadError, _ entry: SidecarPlan.Entry) throws -> DownloadError? {
    let isSubtitle = entry.kind == .subtitles
    switch error.code {
    case .space, .config, .interrupted: throw error
    case .temporary where isSubtitle, .auth where isSubtitle:
      return DownloadError(
        error.code,
        "The file is finished, and \(entry.name) could not be fetched: \(error.message) The same command fetches what is missing.",
        subject: error.subject)
    case _ where isSubtitle && entry.isRequired:
      return DownloadError(
        .notFound, "The file is finished, but \(entry.name) cannot be had: \(error.message)",
        subject: error.subject)
    default:
      warn("\(entry.name) cannot be had: \(error.message)")
      return nil
    }
  }

  /// Notes the files as ours, and gives them their names: a crash in between leaves rows of files that are not there.
  private func name(_ written: [SidecarDisk.Written]) async throws {
    guard !written.isEmpty else { return }
    do {
      try await onOwnThread(named: "sidecar") { _ in try SidecarDisk.clear(for: written) }
    } catch {
      for file in written { AtomicFile.remove(file.temporary) }
      throw error
    }
    do {
      try await store.write { connection in
        for file in written {
          try SidecarTable.forget(file.instead, in: connection)
          try SidecarTable.store(file.sidecar, in: connection)
        }
      }
    } catch {
      // Nobody would know them for ours, and the next run would take them for the user's.
      for file in written { AtomicFile.remove(file.temporary) }
      if error is CancellationError { throw error }
      warn(
        "\(Self.shown(store.path)) cannot be written, so nothing is kept beside the file: the same command brings it later"
      )
      return
    }
    let lost = try await onOwnThread(named: "sidecar") { _ in
      try written.filter { try !SidecarDisk.name($0) }.map(\.sidecar.path)
    }
    for path in lost {
      warn("\(Self.shown(path)) appeared meanwhile and is not from here; it is kept")
    }
  }

  /// Removes what an earlier revision had and this one has not.
  private func removeStale(
    _ known: [Sidecar], of owner: Sidecar.Owner, besides entries: [SidecarPlan.Entry]
  ) async throws {
    guard case .file = owner else { return }
    let (version, wanted) = (version(ofOwner: owner.text), Set(entries.flatMap(SidecarDisk.paths)))
    let stale = known.filter {
      $0.owner == owner.text && $0.version != version && !wanted.contains($0.path)
    }
    guard !stale.isEmpty else { return }
    _ = try await onOwnThread(named: "sidecar") { _ in
      for sidecar in stale where sidecar.isStill(FileFacts(sidecar.path)) {
        AtomicFile.remove(sidecar.path)
      }
    }
    try await store.write { try SidecarTable.forget(stale.map(\.path), in: $0) }
  }

  private static func shown(_ path: String) -> String { Redaction.printable(path) }
}
