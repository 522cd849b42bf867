import SiloMedia
import SiloSystem

import class Foundation.FileManager
import struct Foundation.URL
import struct Foundation.URLComponents

/// What the user wants of one source, whole enough to be carried out later by another process (pure).
///
/// No credential is kept: what the source needs besides is named in `needs`.
struct ItemWish: Hashable, Sendable, Codable {
  /// The source: a URL, or an absolute path.
  var source: String
  /// The tracks.
  var tracks: TrackWishes
  /// An absolute path; of a folder it ends in `/`.
  var output: String
  /// The container; `nil` is the one that fits.
  var container: OutputContainer?
  /// The expected digest as the user wrote it.
  var checksum: String?
  /// Refuse a selection above this number of bytes.
  var maximumSize: Int64?
  /// Keep the file as downloaded beside the packaged one.
  var keepsOriginalFile: Bool
  /// Replace a finished file.
  var overwrites: Bool
  /// Go on over declared gaps.
  var allowsGaps: Bool
  /// The preset of an item of a server; `nil` is the original.
  var quality: String?
  /// The names of the headers that were given with it and are not kept.
  var headers: [String]
  /// Whether a part of the address was a credential and is not kept.
  var lacksAddress: Bool
  /// Whether that was a token in the query; `nil` in rows of before.
  var lacksToken: Bool?

  /// The wish that `request` is, made in the folder `current`.
  ///
  /// - Parameters:
  ///   - headers: the names of the headers that its requests need.
  ///   - keepsAddress: whether a token in the query may be kept. User and password never are.
  init(
    _ request: DownloadRequest, headers: [String] = [], keepsAddress: Bool = true,
    current: String = FileManager.default.currentDirectoryPath,
    isFolder: (String) -> Bool = DownloadJob.isFolder
  ) {
    (source, lacksAddress, lacksToken) = Self.source(request.source, keepsAddress, current)
    tracks = request.wishes
    let output = request.output ?? "./"
    let path = URL(filePath: output, relativeTo: Self.folder(current)).standardizedFileURL.path
    let needsSlash = isFolder(output) && !path.hasSuffix("/")
    self.output = path + (needsSlash ? "/" : "")
    container = request.container
    checksum = request.checksum.map { "\($0.algorithm.rawValue)=\($0.hexadecimal)" }
    maximumSize = request.maximumSize
    keepsOriginalFile = request.keepsOriginalFile
    overwrites = request.overwrites
    allowsGaps = request.allowsGaps
    quality = request.quality
    self.headers = headers
  }

  /// The request to carry out.
  var request: DownloadRequest {
    var request = DownloadRequest(source: source, wishes: tracks)
    request.output = output
    request.container = container
    request.checksum = checksum.flatMap { ExpectedDigest(text: $0) }
    request.maximumSize = maximumSize
    request.keepsOriginalFile = keepsOriginalFile
    request.overwrites = overwrites
    request.allowsGaps = allowsGaps
    request.quality = quality
    return request
  }

  /// What no option of a run can give.
  package static let addressNeed = "the token of its address (get or add the whole address again)"

  /// What has to be given again, one phrase each; empty when the item can be carried out as it is.
  var needs: [String] {
    headers.map { "--header '\($0): ...'" }
      + (lacksAddress
        ? [
          lacksToken == true
            ? Self.addressNeed : "the credential of its address (--netrc-file gives one)"
        ]
        : [])
  }

  /// The source as it is shown: without credentials and query.
  var name: String {
    Self.webURL(source).map { Redaction.text(of: $0) } ?? Redaction.printable(source)
  }

  /// What is the same for the same file wanted in the same place: such a wish is one item, however often it is added.
  var key: String {
    let source = Self.webURL(source).map(ResourceIdentity.text(of:)) ?? source
    return "\(source)\n\(output)"
  }

  /// Whether both become the same file: the same tracks in the same container.
  func isOfSameFile(as other: ItemWish) -> Bool {
    tracks == other.tracks && container == other.container
      && keepsOriginalFile == other.keepsOriginalFile
  }

  /// Whether it is an item of a server that somebody signs in to.
  var isOfServer: Bool { source.lowercased().hasPrefix("silo:") }

  /// The host that it is fetched from, with its port; `nil` for a local source.
  var host: String? {
    guard let url = Self.webURL(source), let host = url.host()?.lowercased() else { return nil }
    return "\(host):\(url.port ?? (url.scheme?.lowercased() == "https" ? 443 : 80))"
  }

  /// The path of the finished file where the wish alone says it.
  var target: String? { output.hasSuffix("/") ? nil : output }

  private static func webURL(_ text: String) -> URL? {
    let lowered = text.lowercased()
    guard lowered.hasPrefix("http://") || lowered.hasPrefix("https://") else { return nil }
    return URL(string: URLParts.escapingIllegal(text))
  }

  private static func folder(_ path: String) -> URL {
    URL(filePath: path, directoryHint: .isDirectory)
  }

  private static func source(
    _ text: String, _ keepsAddress: Bool, _ current: String
  ) -> (String, lacksAddress: Bool, lacksToken: Bool?) {
    guard let url = webURL(text) else {
      let isPath = !text.contains("://") && !isOrigin(text)
      let path = { URL(filePath: text, relativeTo: folder(current)).standardizedFileURL.path }
      return (isPath ? path() : text, false, nil)
    }
    guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
      return (Redaction.text(of: url), true, nil)
    }
    let hasUser = parts.user != nil || parts.password != nil
    let hasToken = !keepsAddress && ResourceIdentity.hasToken(url)
    guard hasUser || hasToken else { return (text, false, nil) }
    parts.user = nil
    parts.password = nil
    if hasToken { parts.query = nil }
    return (parts.string ?? Redaction.text(of: url), true, hasToken ? true : nil)
  }

  /// Whether it names an item of a server: `silo:…`, `putio:…`.
  private static func isOrigin(_ text: String) -> Bool {
    ["silo:", "putio:"].contains { text.lowercased().hasPrefix($0) }
  }
}
