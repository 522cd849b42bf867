import SiloContract
import SiloStore

/// What happens to single rows, inside a transaction.
extension DownloadRegistry {
  static func row(
    _ id: DownloadID, _ scope: DownloadScope, in connection: borrowing Connection
  ) throws -> DownloadRow? {
    guard let number = Int64(id.text), String(number) == id.text else { return nil }
    let condition = scope.condition
    return try DownloadTable.rows(
      where: "id = ? AND " + condition.sql, [.integer(number)] + condition.values, in: connection
    ).first
  }

  /// The row that a device has of a film or an episode already; rows without a device are always new.
  static func row(
    of file: ShelfFile, _ scope: DownloadScope, in connection: borrowing Connection
  ) throws -> DownloadRow? {
    guard scope.isManaged else { return nil }
    let condition = scope.condition
    return try DownloadTable.rows(
      where: condition.sql + " AND content_id = ? AND coalesce(episode_id, '') = ?",
      condition.values + [.text(file.contentID), .text(file.episodeID ?? "")], in: connection
    ).first
  }

  /// Keeps the row when it has the same target and can still be served, else gives it the new one at the next revision.
  static func renew(
    _ row: DownloadRow, _ wish: Wish, _ batch: String?, _ now: Int64,
    in connection: borrowing Connection
  ) throws {
    guard let number = Int64(row.id.text) else { return }
    if let batch {
      try connection.run(
        "UPDATE download SET batch_id = ? WHERE id = ?", [.text(batch), .integer(number)])
    }
    let known = try connection.rows(
      "SELECT file_modified FROM download WHERE id = ?", [.integer(number)])
    let time: Int64? = if case .integer(let time)? = known.first?.first { time } else { nil }
    let target = DeliveryTarget(
      quality: row.quality ?? .original, effective: row.effectiveQuality ?? .original,
      format: row.deliveryFormat ?? .original,
      kilobitsPerSecond: row.targetKilobitsPerSecond ?? 0)
    // A time that nobody noted says nothing; a source of the same length with another time is another one.
    let isSame =
      row.mediaFileID == wish.file.version.fileID && row.fileSize ?? 0 == wish.fileSize
      && target == wish.target
      && time ?? wish.file.modifiedNanoseconds
        == wish.file.modifiedNanoseconds
    let isOver = [.cancelled, .failed, .revoked].contains(row.status)
    guard !isSame || isOver else { return }
    try connection.run(
      """
      UPDATE download SET file_id = ?, file_size = ?, file_modified = ?, quality = ?,
        effective_quality = ?, format = ?, kilobits = ?, status = ?, completed_at = NULL,
        bytes_sent = 0, revision = revision + 1, updated_at = ?
      WHERE id = ?
      """,
      source(of: wish) + values(of: wish.target) + [
        .text(wish.target.status.rawValue), .integer(now), .integer(number),
      ])
  }

  private static func source(of wish: Wish) -> [StoreValue] {
    [
      .integer(wish.file.version.fileID.number), .integer(wish.fileSize),
      .integer(wish.file.modifiedNanoseconds),
    ]
  }

  private static func values(of target: DeliveryTarget) -> [StoreValue] {
    [
      .text(target.quality.rawValue), .text(target.effective.rawValue),
      .text(target.format.rawValue), .integer(Int64(target.kilobitsPerSecond)),
    ]
  }

  static func insert(
    _ wish: Wish, _ scope: DownloadScope, _ batch: String?, _ now: Int64,
    in connection: borrowing Connection
  ) throws -> DownloadID {
    let number = try DownloadTable.next("download", now, in: connection)
    let (profile, device): (String?, String?) =
      switch scope {
      case .device(_, let profile, let device): (profile, device)
      case .account: (nil, nil)
      }
    try connection.run(
      """
      INSERT INTO download (id, account_id, profile_id, device_id, content_id, episode_id, batch_id,
        file_id, file_size, file_modified, quality, effective_quality, format, kilobits, status,
        revision, created_at, updated_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?)
      """,
      [
        .integer(number), .integer(scope.account), StoreValue(profile), StoreValue(device),
        .text(wish.file.contentID), StoreValue(wish.file.episodeID), StoreValue(batch),
      ] + source(of: wish) + values(of: wish.target) + [
        .text(scope.isManaged ? wish.target.status.rawValue : "queued"), .integer(now),
        .integer(now),
      ])
    return DownloadID(checked: String(number))
  }

  /// Rows of every device of the account that are under way take slots.
  static func requireSlot(
    _ account: Int64, _ limits: DownloadLimits, in connection: borrowing Connection
  ) throws {
    guard let most = limits.mostConcurrent else { return }
    let rows = try connection.rows(
      """
      SELECT count(*) FROM download
      WHERE account_id = ? AND status IN ('queued', 'downloading', 'preparing')
      """, [.integer(account)])
    guard case .integer(let count)? = rows.first?.first, count >= most else { return }
    throw Refusal(429, .limitExceeded, "Too many downloads at once; \(most) are allowed")
  }

  /// Rows that were made lately count, but for those that came to nothing.
  static func requireQuota(
    _ account: Int64, _ newCount: Int, _ limits: DownloadLimits, _ now: Int64,
    in connection: borrowing Connection
  ) throws {
    guard let quota = limits.quota else { return }
    let rows = try connection.rows(
      """
      SELECT count(*) FROM download
      WHERE account_id = ? AND created_at > ? AND status NOT IN ('cancelled', 'failed')
      """, [.integer(account), .integer(now - limits.quotaPeriodSeconds)])
    guard case .integer(let count)? = rows.first?.first, count + Int64(newCount) > quota else {
      return
    }
    throw Refusal(429, .quotaExceeded, "The quota of \(quota) downloads is used up")
  }

  static func removeOld(_ now: Int64, in connection: borrowing Connection) throws {
    try connection.run(
      "DELETE FROM download WHERE device_id IS NULL AND updated_at < ?",
      [.integer(now - keptSeconds)])
  }
}
