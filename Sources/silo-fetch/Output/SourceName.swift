import Foundation
import SiloMedia
import SiloSystem

/// What a source is called in output: without credentials, query and control characters.
enum SourceName {
  /// The whole source: the URL without user, password, query and fragment, or the path as given.
  static func full(_ source: String) -> String {
    guard isURL(source) else { return Redaction.printable(source) }
    guard let url = URL(string: URLParts.escapingIllegal(source)) else {
      // Not even a URL: only what stands before anything that could be a secret.
      let end = source.firstIndex { "?#@".contains($0) } ?? source.endIndex
      return Redaction.printable(String(source[..<end]))
    }
    return Redaction.text(of: url)
  }

  /// The last part, for progress lines: `film.mkv`; of a generic playlist name the folder too.
  static func short(_ source: String) -> String {
    let parts = full(source).split(separator: "/").map(String.init)
    guard let last = parts.last else { return full(source) }
    let name = last.removingPercentEncoding ?? last
    let isGeneric = name.hasSuffix(".m3u8") && parts.count > 2
    let folder = isGeneric ? (parts[parts.count - 2].removingPercentEncoding ?? "") + "/" : ""
    return Redaction.printable(folder + name)
  }

  /// The scheme in lower case, `nil` for a path.
  static func scheme(_ source: String) -> String? {
    guard let colon = source.firstIndex(of: ":") else { return nil }
    let scheme = source[..<colon].lowercased()
    let isScheme =
      scheme.first?.isLetter == true
      && scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    return isScheme && scheme.count > 1 ? scheme : nil
  }

  /// Whether it has the form of a URL with a host.
  static func isURL(_ source: String) -> Bool { source.contains("://") }
}
