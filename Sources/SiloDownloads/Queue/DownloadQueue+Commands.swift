import SiloStore
import SiloSystem

extension DownloadQueue {
  /// What a command did to one item.
  public struct Change: Sendable {
    /// The item after it.
    public var item: QueueItem
    /// Where it stood before.
    public var before: ItemState
    /// Whether a worker of whatever process has it; it stops by itself within a second.
    public var wasRunning: Bool
  }

  /// Stops items until they are resumed; a worker stops within a second, and what arrived is kept.
  ///
  /// - Throws: `DownloadError` `notFound` for an id that is not there, `usage` for an item that has ended; nothing is changed
  ///   then.
  public func pause(_ ids: [String]) async throws -> [Change] { try await apply(.pause, to: ids) }

  /// Lets paused items go on when their turn comes; see `pause` for errors.
  public func resume(_ ids: [String]) async throws -> [Change] { try await apply(.resume, to: ids) }

  /// Takes failed and cancelled items up again; see `pause` for errors.
  public func retry(_ ids: [String]) async throws -> [Change] { try await apply(.retry, to: ids) }

  /// Takes all failed items up again.
  ///
  /// - Parameter isIncluded: Which failures; without one all of them.
  public func retryFailed(
    where isIncluded: @escaping @Sendable (QueueFailure?) -> Bool = { _ in true }
  ) async throws -> [Change] {
    try await change { connection in
      let failed = try ItemTable.items(
        where: "state = ?", [.text(ItemState.failed.rawValue)], in: connection)
      return try failed.filter { isSeen($0) && !$0.isDamaged && isIncluded($0.failure) }.map {
        try Self.apply(.retry, to: $0, in: connection)
      }
    }
  }

  /// Gives items up: their workers stop, and what arrived is removed.
  ///
  /// Waits for the workers, 10 s at most.
  ///
  /// - Throws: See `pause`; `DownloadError` `locked` when a worker does not stop.
  public func cancel(_ ids: [String]) async throws -> [Change] {
    let changes = try await apply(.cancel, to: ids)
    for change in changes {
      try await ItemFiles(change.item, home: home).removeUnfinished(from: store)
      // Registered, and never to be fetched: it would count as under way.
      try await self.change { try ManagedItemTable.release(change.item.number, in: $0) }
    }
    return changes
  }

  /// Takes items off the list: unfinished ones are given up as by `cancel`, of finished ones the file stays in the library.
  ///
  /// - Throws: See `cancel`.
  public func remove(_ ids: [String]) async throws -> [Change] {
    let changes = try await change { connection in
      try items(ids, in: connection).map { item in
        let before = item.state
        if before == .finished {
          try connection.run(
            "UPDATE item SET is_listed = 0 WHERE id = ?", [.integer(item.number)])
        } else {
          // Stays until its files are gone, so that a crash in between forgets none of them.
          try ItemTable.enter(.cancelled, item.number, in: connection)
        }
        return Change(item: item, before: before, wasRunning: before.isRunning)
      }
    }
    let home = home
    for removed in changes where removed.before != .finished {
      if !removed.item.isDamaged {
        try await ItemFiles(removed.item, home: home).removeUnfinished(from: store)
      }
      try await change { try ItemTable.remove(removed.item.number, in: $0) }
    }
    return changes
  }

  private func apply(_ move: ItemMove, to ids: [String]) async throws -> [Change] {
    try await change { connection in
      try items(ids, in: connection).map { try Self.apply(move, to: $0, in: connection) }
    }
  }

  /// The items `ids`, each once.
  func items(
    _ ids: [String], in connection: borrowing Connection
  ) throws -> [QueueItem] {
    var seen = Set<String>()
    return try ids.filter { seen.insert($0).inserted }.map { id in
      guard let number = Int64(id), let item = try ItemTable.item(number, in: connection),
        isSeen(item)
      else {
        throw Self.unknown(id)
      }
      return item
    }
  }

  private static func apply(
    _ move: ItemMove, to item: QueueItem, in connection: borrowing Connection
  ) throws -> Change {
    let before = item.state
    if item.isDamaged {
      throw DownloadError(
        .usage, item.failure?.message ?? "Its row is damaged.", subject: "item \(item.id)")
    }
    guard let after = move.state(after: before) else {
      // Asked for twice, by a script perhaps: it is as wanted.
      if before == move.goal || (move != .pause && before.isRunning && move.goal == .waiting) {
        return Change(item: item, before: before, wasRunning: false)
      }
      throw DownloadError(
        .usage, refusal(move, before), subject: "item \(item.id), \(item.title)")
    }
    try ItemTable.enter(after, item.number, in: connection)
    var changed = item
    changed.state = after
    changed.failure = nil
    return Change(item: changed, before: before, wasRunning: before.isRunning)
  }

  private static func refusal(_ move: ItemMove, _ state: ItemState) -> String {
    switch (move, state) {
    case (.resume, .failed), (.resume, .cancelled):
      "It is \(state.rawValue); `queue retry` takes it up again."
    case (.retry, .paused): "It is paused; `queue resume` lets it go on."
    case (_, .finished): "It is finished; `library remove` removes the file."
    default: "It is \(state.rawValue): \(move.rawValue) has no meaning for it."
    }
  }
}
