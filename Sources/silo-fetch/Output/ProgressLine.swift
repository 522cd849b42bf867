import SiloDownloads
import SiloMedia
import SiloSystem

/// One running item in one line: name, phase, how far, how fast, how long still.
struct ProgressLine: Sendable {
  /// What the item is called.
  var name: String
  /// Where it stands.
  var phase: DownloadPhase
  /// How far it is.
  var progress: DownloadProgress?

  /// The line, cut to `width` columns.
  func text(width: Int) -> String {
    let facts = facts
    let room = width - Columns.count(facts) - 2
    guard room >= 8 else { return Columns.cut(facts, to: width) }
    let shortName = Columns.cut(name, to: min(room, 40))
    return "\(shortName)  \(facts)"
  }

  private var facts: String {
    guard phase == .transferring, let progress else { return phase.rawValue }
    var parts: [String] = []
    if let total = progress.total, total > 0 {
      // 100 % belongs to the file that has its name.
      let percent = min(99, max(0, Int(Double(progress.bytes) / Double(total) * 100)))
      parts.append("\(percent) %")
      parts.append("\(ByteCount.text(progress.bytes)) of \(ByteCount.text(total))")
    } else {
      parts.append(ByteCount.text(progress.bytes))
    }
    if let rate = progress.bytesPerSecond, rate >= 0, rate < 1e15 {
      parts.append("\(ByteCount.text(Int64(rate)))/s")
    }
    if progress.total != nil, let remaining = progress.remaining {
      parts.append("ETA \(ClockText.text(remaining))")
    }
    return parts.joined(separator: "  ")
  }
}
