import Foundation
import SiloDownloads

/// Whether this version can do anything with a source, before anything is opened.
enum SourceCheck {
  /// Throws when the kind of `source` is not offered.
  static func check(_ source: String) throws(DownloadError) {
    guard !source.isEmpty else { throw DownloadError(.usage, "an empty source") }
    guard let scheme = SourceName.scheme(source) else { return }
    switch scheme {
    case "http", "https", "file": return
    case "silo", "putio":
      throw DownloadError(
        .unavailable,
        "\(scheme): sources are not available in this version; give a URL or a local file",
        subject: SourceName.full(source))
    default:
      // A local file may have a colon in its name.
      if FileManager.default.fileExists(atPath: source) { return }
      throw DownloadError(
        .unavailable, "\(scheme): is no kind of source here; use http, https or a local path",
        subject: SourceName.full(source))
    }
  }

  /// Whether `word` can only be a mistyped command: letters alone, and no such file.
  static func isMistypedCommand(_ word: String) -> Bool {
    !word.isEmpty && word.allSatisfy { $0.isASCII && ($0.isLetter || $0 == "-") }
      && !FileManager.default.fileExists(atPath: word)
  }
}
