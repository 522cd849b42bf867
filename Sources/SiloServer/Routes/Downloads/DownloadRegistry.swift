import SiloContract
import SiloStore

/// The rows of all accounts: what is registered, and what the devices said of it.
struct DownloadRegistry: Sendable {
  /// How long rows without a device are kept after their last change, in seconds.
  static let keptSeconds: Int64 = 7 * 24 * 3600

  let store: ServerStore
  let limits: DownloadLimits
  let now: @Sendable () -> Int64

  /// One file that is to be registered.
  struct Wish: Sendable, Hashable {
    var file: ShelfFile
    var target = DeliveryTarget.original
    var fileSize: Int64 { file.version.fileSize ?? 0 }
  }

  /// Registers files; those that are registered already keep their rows.
  ///
  /// Looking at the limits and making the rows is one step, so that many at once cannot pass together.
  func register(_ wishes: [Wish], _ scope: DownloadScope, isBatch: Bool) async throws
    -> [DownloadRow]
  {
    let (now, limits) = (now(), limits)
    return try await store.write { connection in
      try Self.removeOld(now, in: connection)
      let known = try wishes.map { try Self.row(of: $0.file, scope, in: connection) }
      let newCount = known.count { $0 == nil }
      if newCount > 0 {
        // A row of a device that is ready takes no slot; a batch of them needs a free one.
        if isBatch || !scope.isManaged {
          try Self.requireSlot(scope.account, limits, in: connection)
        }
        try Self.requireQuota(scope.account, newCount, limits, now, in: connection)
      }
      let batch =
        isBatch ? String(try DownloadTable.next("batch", now, in: connection)) : nil
      var rows: [DownloadRow] = []
      for (wish, row) in zip(wishes, known) {
        let id: DownloadID
        // The same film twice in one request has one row, too.
        if let row = try row ?? Self.row(of: wish.file, scope, in: connection) {
          try Self.renew(row, wish, batch, now, in: connection)
          id = row.id
        } else {
          id = try Self.insert(wish, scope, batch, now, in: connection)
        }
        guard let stored = try Self.row(id, scope, in: connection) else {
          throw Refusal.internalError
        }
        rows.append(stored)
      }
      return rows
    }
  }

  /// The rows of a scope, newest first.
  func list(_ scope: DownloadScope) async throws -> [DownloadRow] {
    let condition = scope.condition
    return try await store.read { connection in
      try DownloadTable.rows(
        where: condition.sql + " ORDER BY created_at DESC, id DESC", condition.values,
        in: connection)
    }
  }

  /// One row, when it is in the scope.
  func row(_ id: DownloadID, _ scope: DownloadScope) async throws -> DownloadRow? {
    try await store.read { try Self.row(id, scope, in: $0) }
  }

  /// The rows of a batch, in the order of registration.
  func batch(_ id: BatchID, _ scope: DownloadScope) async throws -> [DownloadRow] {
    let condition = scope.condition
    return try await store.read { connection in
      try DownloadTable.rows(
        where: condition.sql + " AND batch_id = ? ORDER BY created_at, id",
        condition.values + [.text(id.text)], in: connection)
    }
  }

  /// Notes what a device says of its copy; false when there is no such row, or it is not one that a device may speak of.
  func patch(_ id: DownloadID, _ status: DownloadStatus, _ scope: DownloadScope) async throws
    -> Bool
  {
    guard let number = Int64(id.text) else { return false }
    let (condition, now) = (scope.condition, now())
    return try await store.write { connection in
      try connection.run(
        """
        UPDATE download SET status = ?, completed_at = ?, updated_at = ?
        WHERE id = ? AND status IN ('ready', 'downloading', 'completed') AND \(condition.sql)
        """,
        [
          .text(status.rawValue), status == .completed ? .integer(now) : .null, .integer(now),
          .integer(number),
        ] + condition.values)
      return connection.changeCount > 0
    }
  }

  /// Removes a row; false when there is none.
  ///
  /// One without a device that is under way is cancelled and stays.
  func remove(_ id: DownloadID, _ scope: DownloadScope) async throws -> Bool {
    guard let number = Int64(id.text) else { return false }
    let (condition, now) = (scope.condition, now())
    return try await store.write { connection in
      if !scope.isManaged {
        try connection.run(
          """
          UPDATE download SET status = 'cancelled', updated_at = ?
          WHERE id = ? AND status IN ('queued', 'downloading') AND \(condition.sql)
          """, [.integer(now), .integer(number)] + condition.values)
        if connection.changeCount > 0 { return true }
      }
      try connection.run(
        "DELETE FROM download WHERE id = ? AND \(condition.sql)",
        [.integer(number)] + condition.values)
      return connection.changeCount > 0
    }
  }

  /// Moves a row without a device from one status to another; false when it was in none of `sources`.
  func move(
    _ id: DownloadID, from sources: [DownloadStatus], to status: DownloadStatus
  ) async throws -> Bool {
    guard let number = Int64(id.text) else { return false }
    let now = now()
    let words = sources.map { _ in "?" }.joined(separator: ", ")
    return try await store.write { connection in
      try connection.run(
        """
        UPDATE download SET status = ?1, updated_at = ?2,
          completed_at = CASE ?1 WHEN 'completed' THEN ?2 ELSE completed_at END,
          bytes_sent = CASE ?1 WHEN 'completed' THEN file_size ELSE bytes_sent END
        WHERE id = ?3 AND device_id IS NULL AND status IN (\(words))
        """,
        [.text(status.rawValue), .integer(now), .integer(number)]
          + sources.map { .text($0.rawValue) })
      return connection.changeCount > 0
    }
  }
}
