import Foundation
import SiloSystem

extension DownloadQueue {
  /// What a run of the queue does, and with what.
  public struct Run: Sendable {
    /// The items that may run; `nil` is all of them.
    public var ids: Set<String>?
    /// How many run at once; `nil` is what `setLimit` says, heeded while the run goes on.
    public var limit: Int?
    /// Whether what the items of `ids` need besides is given with this run.
    public var suppliesNeeds = false
    /// Downloads one item, and several at once.
    ///
    /// Returns `nil` when it was finished before.
    public var download:
      @Sendable (
        _ item: QueueItem, _ request: DownloadRequest,
        _ events: @escaping @Sendable (DownloadEvent) -> Void
      ) async throws -> FinishedDownload?
    /// Told how the work at an item ended; a postponed one comes again.
    public var ended: @Sendable (_ item: QueueItem, _ outcome: ItemOutcome) async -> Void

    /// A run of all items that downloads by `download`.
    public init(
      download:
        @escaping @Sendable (
          _ item: QueueItem, _ request: DownloadRequest,
          _ events: @escaping @Sendable (DownloadEvent) -> Void
        ) async throws -> FinishedDownload?,
      ended: @escaping @Sendable (_ item: QueueItem, _ outcome: ItemOutcome) async -> Void
    ) {
      self.download = download
      self.ended = ended
    }
  }

  /// Downloads what waits, and what is added meanwhile, until nothing waits any more.
  ///
  /// Items that the last run left in the middle, killed perhaps, wait again first, and so do those that failed for a reason
  /// which may be over by now (`RetryPlan.isTakenUp`). A failed item never stops the others. When
  /// the task is cancelled, the running ones stop with what arrived kept, and wait for the next run.
  ///
  /// - Throws: `DownloadError.locked` when another process runs the queue, or the error of a state that cannot be read.
  public func run(_ run: Run) async throws {
    let home = home
    do {
      try await onOwnThread(named: "state") { _ in
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
      }
    } catch { throw Self.failure(error) }
    let lock = try Self.lock(home + "/queue.lock")
    try await recover()
    try await takeUp(for: run)
    var loop = QueueLoop(queue: self, run: run)
    try await loop.perform()
    try lock.close()
  }

  private static func lock(_ path: String) throws -> OwnedDescriptor {
    let lock: OwnedDescriptor
    do {
      lock = try OwnedDescriptor.open(path, .create, permissions: 0o600)
    } catch let error as SystemCallError {
      throw DownloadError(writing: error)
    }
    guard try lock.tryLock() else {
      throw DownloadError(
        .locked, "Another process runs the queue; it also takes what is added meanwhile.")
    }
    return lock
  }

  /// Lets items wait again whose workers are gone.
  func recover() async throws {
    let home = home
    let running = try await read { try ItemTable.entries(in: $0) }?.filter { $0.state.isRunning }
    let orphans = (running ?? []).map(\.entry.id).filter { !ItemLock.isHeld($0, in: home) }
    guard !orphans.isEmpty else { return }
    try await change { connection in
      for number in orphans {
        // Looked at again: a worker may have taken it since.
        guard !ItemLock.isHeld(number, in: home),
          let item = try ItemTable.item(number, in: connection),
          let state = ItemMove.postpone.state(after: item.state)
        else { continue }
        try ItemTable.enter(state, number, keepsFailure: true, in: connection)
      }
    }
  }

  /// Lets items wait again that failed for a reason which may be over by now, those that `run` would take.
  private func takeUp(for run: Run) async throws {
    let failed = "state = 'failed' AND (is_worth_retrying = 1 OR owner IS NOT NULL)"
    guard try await read({ try ItemTable.items(where: failed, in: $0).isEmpty }) == false else {
      return
    }
    try await change { connection in
      for item in try ItemTable.items(where: failed, in: connection) {
        guard !item.isDamaged, let failure = item.failure,
          RetryPlan.isTakenUp(failure, ofServer: item.owner != nil),
          run.wants(
            item.number, needs: !item.needs.isEmpty, of: item.owner, signedIn: owner),
          let state = ItemMove.takeUp.state(after: item.state)
        else { continue }
        try ItemTable.enter(state, item.number, in: connection)
      }
    }
  }
}

extension DownloadQueue.Run {
  /// Whether the run would take an item with these ids, needs and owner, if it waits.
  func wants(_ number: Int64, needs: Bool, of owner: String?, signedIn: String?) -> Bool {
    (ids?.contains("\(number)") ?? true) && (!needs || suppliesNeeds)
      && (owner == nil || owner == signedIn)
  }
}

/// The loop of one run: starts what the order says, waits for what ends or changes.
private struct QueueLoop {
  let queue: DownloadQueue
  let run: DownloadQueue.Run
  private var running: Set<Int64> = []
  /// Items that this run leaves to the next one, with the attempt that failed: `retry` has another one begin.
  private var left: [Int64: Int64] = [:]
  /// Items that somebody else had, and when to look again.
  private var held: [Int64: Int64] = [:]
  private var stamp: [Int64] = []
  private var entries: [ItemTable.Entry] = []
  private var limit = DownloadQueue.usualLimit
  private let claims = OutputClaims()

  init(queue: DownloadQueue, run: DownloadQueue.Run) {
    self.queue = queue
    self.run = run
  }

  private enum Signal: Sendable {
    case tick
    case ended(Int64, ItemOutcome?, attempt: Int64)
    case broken(any Error)
  }

  mutating func perform() async throws {
    try await withThrowingTaskGroup(of: Signal.self) { group in
      var isTicking = false
      var ticks = 0
      while true {
        var isDone = Task.isCancelled
        if !isDone {
          try await look()
          isDone = start(in: &group)
          if !isTicking, !isDone {
            isTicking = true
            group.addTask {
              try? await Task.sleep(for: .milliseconds(250))
              return .tick
            }
          }
        }
        if isDone, running.isEmpty { break }
        switch try await group.next() {
        case .tick:
          isTicking = false
          ticks += 1
          // Times of files are coarse: two changes may look like one.
          if ticks % 16 == 0 { stamp = [] }
        case .ended(let number, let outcome, let attempt): end(number, outcome, attempt)
        case .broken(let error): throw error
        case nil: return
        }
      }
      group.cancelAll()
    }
  }

  /// Reads the queue when somebody has changed it.
  private mutating func look() async throws {
    let now = queue.store.stamp
    guard now != stamp else { return }
    stamp = now
    let found = try await queue.read { connection in
      (try ItemTable.entries(in: connection), try ItemTable.limit(in: connection))
    }
    entries = found?.0 ?? []
    limit = run.limit ?? found?.1 ?? DownloadQueue.usualLimit
  }

  /// Starts what may start; true when nothing waits that this run would ever take.
  private mutating func start(in group: inout ThrowingTaskGroup<Signal, any Error>) -> Bool {
    let order = QueueOrder(limit: limit)
    while true {
      let others = Set(
        entries.filter { $0.state.isRunning && !running.contains($0.entry.id) }
          .compactMap(\.entry.target))
      let ours = entries.filter { running.contains($0.entry.id) }.map(\.entry)
      let missing = running.subtracting(ours.map(\.id)).map { QueueOrder.Entry(id: $0) }
      let waiting = entries.filter { isWanted($0) }.compactMap { row -> QueueOrder.Entry? in
        var entry = row.entry
        if let target = entry.target, others.contains(target) { return nil }
        if let moment = held[entry.id] { entry.notBefore = max(entry.notBefore ?? 0, moment) }
        return entry
      }
      switch order.next(waiting: waiting, running: ours + missing, now: ItemWorker.now) {
      case .start(let number): launch(number, in: &group)
      case .wait: return false
      case .done: return true
      }
    }
  }

  private func isWanted(_ row: ItemTable.Entry) -> Bool {
    let id = row.entry.id
    return row.state == .waiting && !running.contains(id) && left[id] != row.attempt
      && run.wants(id, needs: row.needs, of: row.owner, signedIn: queue.owner)
  }

  private mutating func launch(
    _ number: Int64, in group: inout ThrowingTaskGroup<Signal, any Error>
  ) {
    running.insert(number)
    held[number] = nil
    let (worker, run, claims) = (ItemWorker(queue: queue, number: number), run, claims)
    group.addTask {
      do {
        let outcome = try await worker.run { item, request, events in
          guard var request else {
            throw DownloadError(
              .config, "What was wanted of it cannot be read. Remove it and add the source again.",
              subject: "item \(item.id)")
          }
          request.claims = claims
          request.itemID = item.id
          request.owner = item.owner
          return try await run.download(item, request, events)
        }
        guard let outcome, let item = try await worker.queue.item("\(number)") else {
          return .ended(number, outcome, attempt: 0)
        }
        await run.ended(item, outcome)
        return .ended(number, outcome, attempt: Int64(item.attempt))
      } catch {
        return .broken(error)
      }
    }
  }

  private mutating func end(_ number: Int64, _ outcome: ItemOutcome?, _ attempt: Int64) {
    running.remove(number)
    stamp = []
    switch outcome {
    case nil: held[number] = ItemWorker.now + 500
    case .failed: left[number] = attempt
    case .finished, .skipped, .postponed, .withdrawn: break
    }
  }
}
