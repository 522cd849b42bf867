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
    let home = home
    let (changes, open) = try await change { connection in
      var open: [QueueItem] = []
      let changes = try items(ids, in: connection).map { item in
        let change = try Self.apply(.cancel, to: item, in: connection)
        if try ItemFiles(item, home: home).mayBeThere(in: connection) {
          open.append(item)
        } else {
          // Registered, and never to be fetched: it would count as under way.
          try ManagedItemTable.release(item.number, in: connection)
        }
        return change
      }
      return (changes, open)
    }
    for item in open {
      try await ItemFiles(item, home: home).removeUnfinished(from: store)
      try await change { try ManagedItemTable.release(item.number, in: $0) }
    }
    return changes
  }

  /// Takes items off the list: unfinished ones are given up as by `cancel`, of finished ones the file stays in the library.
  ///
  /// Those of which nothing is on the disk go at once, all or none of them. Ids that are gone already are left out, so that the
  /// same call goes on after a crash; `notFound` when none is there any more.
  ///
  /// - Throws: See `cancel`.
  public func remove(_ ids: [String]) async throws -> [Change] {
    let home = home
    let (changes, open) = try await change { connection in
      var open: [QueueItem] = []
      let changes = try items(ids, in: connection, leavingOutGone: true).map { item in
        let before = item.state
        if before == .finished {
          try ItemTable.unlist(item.number, in: connection)
        } else if try ItemFiles(item, home: home).mayBeThere(in: connection) {
          // Stays until its files are gone, so that a crash in between forgets none of them.
          try ItemTable.enter(.cancelled, item.number, in: connection)
          open.append(item)
        } else {
          try ItemTable.leave(item.number, in: connection)
        }
        return Change(item: item, before: before, wasRunning: before.isRunning)
      }
      return (changes, open)
    }
    for item in open {
      try await ItemFiles(item, home: home).removeUnfinished(from: store)
      try await change { try ItemTable.leave(item.number, in: $0) }
    }
    return changes
  }

  /// Takes all items of one state off the list; see `remove`.
  ///
  /// - Returns: None when there are none.
  public func removeAll(_ state: ItemState) async throws -> [Change] {
    let ids = try await items().filter { $0.state == state }.map(\.id)
    return ids.isEmpty ? [] : try await remove(ids)
  }

  private func apply(_ move: ItemMove, to ids: [String]) async throws -> [Change] {
    try await change { connection in
      try items(ids, in: connection).map { try Self.apply(move, to: $0, in: connection) }
    }
  }

  /// The items `ids`, each once.
  ///
  /// - Parameter leavingOutGone: Whether items that were there once are left out, as long as others are there.
  func items(
    _ ids: [String], in connection: borrowing Connection, leavingOutGone: Bool = false
  ) throws -> [QueueItem] {
    var seen = Set<String>()
    var items: [QueueItem] = []
    let last = leavingOutGone ? try ItemTable.lastNumber(in: connection) : 0
    for id in ids where seen.insert(id).inserted {
      guard let number = Int64(id) else { throw Self.unknown(id) }
      let item = try ItemTable.item(number, in: connection)
      if let item, isSeen(item) {
        items.append(item)
      } else if item != nil || !(1...max(1, last) ~= number && leavingOutGone) {
        throw Self.unknown(id)
      }
    }
    if items.isEmpty, let id = ids.first { throw Self.unknown(id) }
    return items
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
