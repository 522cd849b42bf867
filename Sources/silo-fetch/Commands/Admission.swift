import SiloDownloads
import SiloMedia

/// Whether what was chosen may be had, where nothing is downloaded: `probe` and `--dry-run`.
enum Admission {
  /// Throws when a required language is missing, or the selection is larger than the budget.
  static func check(_ inspection: Inspection, _ request: DownloadRequest) throws(MediaError) {
    _ = try inspection.inventory.select(request.wishes)
    let budget = StorageBudget(maximum: request.maximumSize)
    try budget.requireSize(of: inspection.selection, in: inspection.inventory)
    try budget.admit(inspection.selection, of: inspection.inventory)
  }

  /// What of the selection would fit the budget; `nil` when all of it does.
  static func proposal(_ inspection: Inspection, _ request: DownloadRequest) -> BudgetProposal? {
    guard let limit = request.maximumSize, let need = inspection.selection.size.byteCount,
      need > limit
    else { return nil }
    return BudgetProposal(inspection.inventory, selection: inspection.selection, limit: limit)
  }
}
