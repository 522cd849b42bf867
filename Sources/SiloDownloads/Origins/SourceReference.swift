import Foundation
import SiloMedia
import SiloSystem

/// What the word SOURCE of the command line refers to (pure but for looking at the local file).
enum SourceReference: Hashable, Sendable {
  /// A web URL: a file, or a playlist, told by its content.
  case web(URL)
  /// A local file or playlist.
  case local(URL)

  /// What kind of thing lies at a local path.
  enum LocalKind: Sendable {
    /// A file.
    case file
    /// A folder with these names inside.
    case folder([String])
  }

  /// Reads a source; a scheme that is not offered, a path that is not there and a folder that does not say which file
  /// is meant are errors that name it.
  ///
  /// - Parameter look: what lies at a path, or `nil` when there is nothing.
  init(_ text: String, look: (String) -> LocalKind? = Self.look) throws(DownloadError) {
    let lowered = text.lowercased()
    if lowered.hasPrefix("http://") || lowered.hasPrefix("https://") {
      self = .web(try Self.webURL(text))
      return
    }
    if lowered.hasPrefix("putio:") {
      throw DownloadError(
        .unavailable, "put.io is not available in this version; give a URL or a file",
        subject: Self.printable(text))
    }
    if lowered.hasPrefix("silo:") {
      throw DownloadError(
        .auth, "an item of a server needs a sign-in", subject: Self.printable(text))
    }
    if lowered.hasPrefix("file://"), let url = URL(string: text) {
      self = .local(try Self.localFile(url.path, look: look))
      return
    }
    if let scheme = Self.scheme(of: text), look(text) == nil {
      throw DownloadError(
        .usage, "\(scheme): is not a kind of source; give an http or https URL, or a file",
        subject: Self.printable(text))
    }
    self = .local(try Self.localFile(text, look: look))
  }

  /// An http URL with a host; characters that people paste (spaces, letters beyond ASCII) are escaped, escapes kept.
  private static func webURL(_ text: String) throws(DownloadError) -> URL {
    guard let url = URL(string: URLParts.escapingIllegal(text)), let host = url.host(),
      !host.isEmpty
    else {
      throw DownloadError(.usage, "this is no URL with a host", subject: printable(text))
    }
    return url
  }

  private static func localFile(
    _ path: String, look: (String) -> LocalKind?
  ) throws(DownloadError) -> URL {
    switch look(path) {
    case nil:
      throw DownloadError(
        .notFound, "there is no such file; a URL begins with http:// or https://",
        subject: printable(path))
    case .file:
      return URL(filePath: path, directoryHint: .notDirectory).absoluteURL
    case .folder(let names):
      let folder = URL(filePath: path, directoryHint: .isDirectory).absoluteURL
      return folder.appending(
        component: try choose(from: names, of: path), directoryHint: .notDirectory)
    }
  }

  /// The file that a folder stands for: its master playlist, its only playlist, or its only media file.
  private static func choose(from names: [String], of path: String) throws(DownloadError) -> String
  {
    func suffix(_ name: String) -> String {
      name.split(separator: ".").last.map { $0.lowercased() } ?? ""
    }
    let visible = names.filter { !$0.hasPrefix(".") }.sorted()
    if let master = visible.first(where: { $0.lowercased() == "master.m3u8" }) { return master }
    let playlists = visible.filter { ["m3u8", "m3u"].contains(suffix($0)) }
    if playlists.count == 1 { return playlists[0] }
    let media = visible.filter { mediaSuffixes.contains(suffix($0)) }
    if playlists.isEmpty, media.count == 1 { return media[0] }
    let found = (playlists + media).prefix(5).map(printable).joined(separator: ", ")
    throw DownloadError(
      .usage,
      found.isEmpty
        ? "this folder holds no media and no playlist"
        : "this folder holds several things; name one: \(found)", subject: printable(path))
  }

  private static let mediaSuffixes: Set<String> = [
    "mkv", "mp4", "m4v", "mov", "webm", "ts", "m2ts", "mts", "avi", "mka", "m4a", "mp3", "flac",
    "ogg", "opus", "wav", "aac", "ac3", "eac3",
  ]

  private static func scheme(of text: String) -> String? {
    guard let colon = text.firstIndex(of: ":"), colon != text.startIndex else { return nil }
    let name = text[..<colon]
    guard name.count > 1, name.first?.isLetter == true,
      name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) })
    else { return nil }
    return String(name)
  }

  /// Without control characters, and of a URL only what is no secret.
  private static func printable(_ text: String) -> String {
    if text.contains("://"), let url = URL(string: URLParts.escapingIllegal(text)) {
      return Redaction.text(of: url)
    }
    return Redaction.printable(text)
  }

  private static func look(_ path: String) -> LocalKind? {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return nil }
    guard isFolder.boolValue else { return .file }
    return .folder((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [])
  }
}
