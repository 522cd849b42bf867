import SiloDownloads
import SiloMedia
import SiloSystem

/// Whether what was chosen may be had, where nothing is downloaded: `probe` and `--dry-run`.
enum Admission {
  /// Throws when a required language is missing, or the selection is larger than the budget.
  static func check(_ inspection: Inspection, _ request: DownloadRequest) throws(DownloadError) {
    let selection = inspection.selection
    if request.wishes.requiresAudio, !selection.missing.isEmpty {
      throw DownloadError(
        .notFound, "no audio track for \(selection.missing.joined(separator: ", "))")
    }
    guard let limit = request.maximumSize, let bytes = selection.size.byteCount, bytes > limit
    else { return }
    throw DownloadError(
      .space,
      """
      the selection needs \(ByteCount.text(bytes)) (\(selection.size.basis.rawValue)), more than \
      --max-size \(ByteCount.text(limit))
      """)
  }
}
