import SiloMedia
import SiloSystem

/// What of a selection would fit a limit, a line each.
struct BudgetTable {
  let proposal: BudgetProposal

  /// The lines, the smallest first.
  var lines: [String] {
    let rows = proposal.rows.map { row in
      (
        row.fits ? "fits" : "too large", row.label,
        row.audio.map(\.description).joined(separator: ","),
        row.size.byteCount.map(ByteCount.text) ?? "unknown size"
      )
    }
    let width = rows.map(\.1.count).max() ?? 0
    return ["of \(ByteCount.text(proposal.limit)):"]
      + rows.map { verdict, label, tracks, size in
        let pad = String(repeating: " ", count: width - label.count)
        return "  \(verdict == "fits" ? "fits     " : verdict)  \(label)\(pad)  \(size)"
          + "  (--audio-track \(tracks))"
      }
  }
}
