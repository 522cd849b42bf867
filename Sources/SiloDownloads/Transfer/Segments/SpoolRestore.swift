import SiloSystem

/// Finds out how much of a spool from an earlier run still is what the playlist of this run names.
enum SpoolRestore {
  /// Opens the spool of `plan` in `folder`, and calls `cut` with what can be kept before anything else is cut away.
  static func open(
    _ plan: SpoolPlan, _ known: SpoolJournal.Rendition, _ folder: String,
    cut: (_ count: Int, _ end: Int64) throws -> Void
  ) throws -> RenditionProgress {
    let spool = try SpoolFile("\(folder)/\(known.id).spool")
    let length = try spool.descriptor.byteCount()
    var rows = usable(known, plan, length)
    while let last = rows.last, try !last.isFreed && !isIntact(last, spool) { rows.removeLast() }
    let end = rows.last?.bytes.upperBound ?? 0
    // What is fetched again into its old place is not durable because something was before.
    let settled = rows.first { $0.isFreed }?.bytes.lowerBound ?? end
    if rows.count < known.rows.count || !known.isSameBoot || settled < known.durable {
      try cut(rows.count, settled)
    }
    if length > end { try spool.descriptor.truncate(to: end) }
    return try RenditionProgress(
      plan: plan, spool: spool, id: known.id, rows: Array(rows),
      durable: min(known.durable, settled))
  }

  /// The rows that match the plan from the start without a hole, and whose bytes can be there.
  static func usable(
    _ known: SpoolJournal.Rendition, _ plan: SpoolPlan, _ length: Int64
  ) -> ArraySlice<SpoolJournal.Row> {
    let trusted = known.isSameBoot ? length : min(length, known.durable)
    let count = zip(known.rows, plan.parts).prefix { row, part in
      row.identity == part.identity && row.bytes.upperBound <= trusted
    }.count
    return known.rows.prefix(count)
  }

  /// Only the last part is read again: a row is written after its bytes, so only the end can be in doubt.
  private static func isIntact(_ row: SpoolJournal.Row, _ spool: SpoolFile) throws -> Bool {
    var digest = try Digest(.sha256)
    let bytes = try spool.descriptor.read(at: row.bytes.lowerBound, count: row.bytes.count)
    digest.update(bytes)
    let found = digest.finish()
    return bytes.count == row.bytes.count && found == row.digest
  }
}
