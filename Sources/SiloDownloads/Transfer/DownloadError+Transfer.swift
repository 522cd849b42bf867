import SiloStore
import SiloSystem

import struct Foundation.URL

extension DownloadError {
  /// A part that cannot be had; what came before it is kept.
  init(part place: String, of rendition: String, url: URL, reason: any Error) {
    let known = reason as? DownloadError
    let code: Code =
      switch known?.code {
      // What a later attempt, a free disk or another configuration would mend stays what it is.
      case .temporary?: .temporary
      case .space?: .space
      case .config?: .config
      case .interrupted?: .interrupted
      default: .integrity
      }
    let cause = known.map { $0.subject.map { " (\($0))" } ?? "" } ?? ""
    let text = known?.message ?? (reason as? SegmentFlaw)?.description ?? "\(reason)"
    let name = Redaction.printable(url.lastPathComponent)
    self.init(
      code,
      "\(place) cannot be had: \(text)\(cause) What arrived before it is kept; run the same command again to go on.",
      subject: "\(Redaction.printable(rendition)), \(name)", status: known?.status, cause: reason)
  }

  /// A failure of the journal beside a download.
  init(journal error: StoreError) {
    let (code, text): (Code, String) =
      switch error.code {
      case .full:
        (
          .space,
          "The disk is full, or your quota on it. What arrived is kept: free some space and run the same again."
        )
      case .busy: (.locked, "Another process uses the journal of this download.")
      case .newerProgram: (.config, "The partial download is of a newer version of this program.")
      default: (.config, "The journal of the download cannot be used (\(error.message)).")
      }
    self.init(code, text, subject: error.path.map(Redaction.printable), cause: error)
  }
}
