import SiloMedia
import SiloStore
import SiloSystem
import Synchronization

/// The films and series of the folder: what is known of them, and their files.
///
/// What was known after the last scan can be asked without waiting; a scan goes on behind it.
final class Catalog: Sendable {
  private let folder: MediaFolder
  private let store: CatalogStore
  private let scan: CatalogScan
  private let known = Mutex(CatalogContents())
  private let notice: (@Sendable (SkippedFile) -> Void)?
  private let trouble: (@Sendable (String) -> Void)?
  /// Why the last look failed; `nil` when it did not.
  private let lastTrouble = Mutex<String?>(nil)
  /// What was told of already.
  private let told = Mutex<Set<SkippedFile>>([])
  private let watch = Mutex<Task<Void, Never>?>(nil)
  /// Ends when the first scan has.
  private let firstScan: AsyncStream<Void>
  private let endOfFirstScan: AsyncStream<Void>.Continuation

  /// Between two looks at the folder at least, and at most: what appears or vanishes is noticed within 20 s.
  private static let shortestPause = Duration.seconds(5)
  private static let longestPause = Duration.seconds(15)

  /// A catalog of `folder` that keeps what it must remember at `path`, or in memory only.
  ///
  /// Nothing is known before the first scan. Blocks while the database is opened.
  ///
  /// - Parameters:
  ///   - notice: Told once of each file that the catalog does without.
  ///   - trouble: Told why looks fail by themselves, once until one works or fails for another reason.
  init(
    _ folder: MediaFolder, database path: String?,
    notice: (@Sendable (SkippedFile) -> Void)? = nil,
    trouble: (@Sendable (String) -> Void)? = nil
  ) throws {
    self.folder = folder
    (self.notice, self.trouble) = (notice, trouble)
    store = try CatalogStore(path)
    scan = CatalogScan(folder, store)
    (firstScan, endOfFirstScan) = AsyncStream.makeStream()
  }

  deinit { watch.withLock { $0?.cancel() } }

  /// All that was known after the last scan.
  var contents: CatalogContents { known.withLock { $0 } }

  /// Looks what has changed; returns when it is known.
  ///
  /// - Parameter isForced: Whether files that could not be read are tried again.
  func rescan(isForced: Bool = false) async throws {
    let scan = self.scan
    try await onOwnThread(named: "catalog-scan") { [weak self] cancel in
      try scan.run(isForced: isForced, unless: cancel) { contents in
        self?.known.withLock { $0 = contents }
      }
    }
    tell(contents.skipped)
  }

  /// Looks what has changed; a look that fails, as on a full disk, leaves what was known, and is told of.
  func lookAgain(isForced: Bool = false) async {
    var words: String?
    do { try await rescan(isForced: isForced) } catch is CancellationError { return } catch {
      words = Self.words(error)
    }
    let isNew = lastTrouble.withLock { last in
      defer { last = words }
      return last != words
    }
    guard isNew, let words else { return }
    trouble?("the folder could not be looked at, what was known stays: \(words)")
  }

  private static func words(_ error: any Error) -> String {
    switch error {
    case let error as StoreError: error.code == .full ? "The disk is full" : error.message
    case let error as SystemCallError: error.isOutOfSpace ? "The disk is full" : "\(error)"
    default: "\(error)"
    }
  }

  private func tell(_ skipped: [SkippedFile]) {
    guard let notice else { return }
    let now = Set(skipped)
    let new = told.withLock { told in
      defer { told = now }
      return skipped.filter { !told.contains($0) }
    }
    for file in new { notice(file) }
  }

  /// Goes on looking what has changed until `stopWatching`, or until the catalog is let go of.
  ///
  /// - Parameter sleep: Waits between two looks.
  func startWatching(
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    watch.withLock { watch in
      guard watch == nil else { return }
      watch = Task { [weak self] in
        while !Task.isCancelled {
          let start = ContinuousClock.now
          // Whatever fails now, a full disk or a lock, may work the next time.
          await self?.lookAgain()
          self?.endOfFirstScan.finish()
          // A large folder on a slow disk is looked at less often.
          let pause = (ContinuousClock.now - start) * 50
          let bounded = min(max(pause, Self.shortestPause), Self.longestPause)
          guard self != nil, (try? await sleep(bounded)) != nil else { return }
        }
      }
    }
  }

  /// Waits for the first scan of `startWatching`, but no longer than `limit`: a large folder goes on appearing.
  func waitForFirstScan(atMost limit: Duration) async {
    let firstScan = self.firstScan
    await withTaskGroup { group in
      group.addTask { for await _ in firstScan {} }
      group.addTask { try? await Task.sleep(for: limit) }
      await group.next()
      group.cancelAll()
    }
  }

  /// Ends `startWatching`; returns when no scan is running.
  func stopWatching() async {
    let running = watch.withLock { $0.take() }
    running?.cancel()
    await running?.value
  }

  /// Everything that was found in files, by their numbers.
  func inventories(of files: [CatalogFile]) async throws -> [Int64: MediaInventory] {
    guard !files.isEmpty else { return [:] }
    let store = self.store
    return try await onOwnThread(named: "catalog") { _ in
      try store.inventories(of: files.map(\.id))
    }
  }

  /// Where the picture of a film, series, season or episode is; `nil` when it has none of that kind.
  func artworkPath(_ kind: ArtworkName.Kind, of id: String) -> String? {
    let contents = contents
    if let season = contents.season(id) {
      return season.artwork[kind] ?? contents.items[season.seriesID]?.artwork[kind]
    }
    return contents.item(id).flatMap { contents.artwork(kind, of: $0) }
  }

  /// Opens what lies at `path`, relative to the folder; `nil` when it is gone or must not be served.
  func open(_ path: String) -> OpenFile? {
    folder.open(path.split(separator: "/").map(String.init))
  }
}
