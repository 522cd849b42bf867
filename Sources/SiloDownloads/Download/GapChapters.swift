import Foundation
import SiloMedia
import SiloSystem

/// The holes that EXT-X-GAP leaves in a file that was wanted with them (pure).
enum GapChapters {
  /// The chapters with one more for each hole, in order; holes of several renditions at one time are one.
  static func marking(_ gaps: [SegmentGap], in chapters: [Chapter]) -> [Chapter]? {
    guard !gaps.isEmpty else { return nil }
    let spans = Set(gaps.map { $0.start..<($0.start + $0.duration) })
    let marks = spans.map {
      Chapter(start: $0.lowerBound, end: $0.upperBound, title: "Missing: \(text(of: $0))")
    }
    return (chapters + marks).sorted { ($0.start, $0.title ?? "") < ($1.start, $1.title ?? "") }
  }

  /// What to tell of a file that has its name and holes.
  static func failure(_ gaps: [SegmentGap], _ url: URL) -> DownloadError {
    let spans = Set(gaps.map { $0.start..<($0.start + $0.duration) })
      .sorted { $0.lowerBound < $1.lowerBound }
    let shown = spans.prefix(5).map(text).joined(separator: ", ")
    return DownloadError(
      .integrity,
      "\(gaps.count) segments are missing at the source (\(shown)); the file was written without them, chapters mark the holes",
      subject: Redaction.printable(url.path))
  }

  private static func text(of span: Range<Duration>) -> String {
    let start = (span.lowerBound.seconds * 10).rounded() / 10
    let end = (span.upperBound.seconds * 10).rounded() / 10
    return "\(start)–\(end) s"
  }
}
