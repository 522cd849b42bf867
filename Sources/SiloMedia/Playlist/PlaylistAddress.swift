import struct Foundation.URL

/// Where a playlist was read from, and the rule for what it may name.
///
/// A remote playlist names `http` and `https` only. A local one names files below its own folder, and `http` or `https`.
/// Nothing may climb above the root.
struct PlaylistAddress {
  /// Why a reference is not followed.
  struct Refusal: Error {
    var reason: String
  }

  private let own: URLParts
  /// The path of the playlist up to the last slash; of a local one also the fence.
  private let folder: String
  private let isLocal: Bool
  /// What a plain name is appended to.
  private let prefix: String

  /// The playlist that was read from `url`, after redirects.
  init(_ url: URL) {
    own = URLParts(url.absoluteString)
    isLocal = url.isFileURL
    let path = URLParts.withoutDots(own.path) ?? own.path
    folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "/"
    var parts = own
    (parts.path, parts.query, parts.fragment) = (folder, nil, nil)
    prefix = parts.text
  }

  /// The value of the query parameter `name` as the playlist's own URL writes it (EXT-X-DEFINE QUERYPARAM).
  func queryParameter(_ name: String) -> String? {
    for pair in (own.query ?? "").split(separator: "&") {
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if sides.count == 2, sides[0] == name { return String(sides[1]) }
    }
    return nil
  }

  /// `reference` as a URL of its own (RFC 3986, 5.2), percent codes untouched.
  ///
  /// Throws when the reference is empty, names another scheme, climbs above the root or leaves the playlist's folder.
  func resolve(_ reference: String) throws(Refusal) -> URL {
    guard !reference.isEmpty else { throw Refusal(reason: "names nothing") }
    if isRelatable, Self.isPlainName(reference), let url = URL(string: prefix + reference) {
      return url
    }
    let parts = URLParts(URLParts.escapingIllegal(reference))
    let resolved: URLParts
    if let scheme = parts.scheme {
      resolved = try checked(parts, scheme: scheme)
    } else {
      var whole = parts
      whole.scheme = own.scheme
      if parts.authority == nil {
        whole.authority = own.authority
        if parts.path.isEmpty {
          whole.path = own.path
          whole.query = parts.query ?? own.query
        } else if !parts.path.hasPrefix("/") {
          whole.path = folder + parts.path
        }
      }
      resolved = try checked(whole, scheme: own.scheme ?? "")
    }
    guard let url = URL(string: resolved.text) else {
      throw Refusal(reason: "is no URL")
    }
    return url
  }

  /// Whether the playlist's own URL is of a kind that references may be.
  private var isRelatable: Bool {
    isLocal || ((own.scheme == "http" || own.scheme == "https") && own.authority?.isEmpty == false)
  }

  /// Whether a reference can only name something below the folder: no scheme, no dots to climb with, nothing to escape.
  private static func isPlainName(_ reference: String) -> Bool {
    var isFirst = true
    var previous: UInt8 = 0x2F
    for byte in reference.utf8 {
      guard URLParts.isLegal(byte), !URLParts.isBracket(byte), byte != 0x3A, byte != 0x25,
        byte != 0x23
      else { return false }
      if isFirst, byte == 0x2F || byte == 0x3F { return false }
      if byte == 0x2E, previous == 0x2F { return false }
      previous = byte
      isFirst = false
    }
    return true
  }

  private func checked(_ parts: URLParts, scheme: String) throws(Refusal) -> URLParts {
    var parts = parts
    switch scheme {
    case "http", "https":
      guard let authority = parts.authority, !authority.isEmpty else {
        throw Refusal(reason: "names no host")
      }
    case "file":
      guard isLocal else {
        throw Refusal(reason: "names a local file, which a remote playlist may not")
      }
      guard (parts.authority ?? "").isEmpty else { throw Refusal(reason: "names a file elsewhere") }
    default:
      let name = PlaylistText.quoted(scheme.utf8)
      throw Refusal(reason: "uses the scheme “\(name)”, which is not followed")
    }
    if scheme == "file" {
      // A percent-encoded dot is a dot once the path is opened.
      let plain = URLParts.decodingPercent(parts.path)
      guard !plain.utf8.contains(0), let path = URLParts.withoutDots(plain),
        path.hasPrefix(URLParts.decodingPercent(folder))
      else { throw Refusal(reason: "lies outside the playlist's own folder") }
    }
    guard let path = URLParts.withoutDots(parts.path) else {
      throw Refusal(reason: "climbs above the root with “..”")
    }
    parts.path = path
    return parts
  }
}
