import SiloMedia
import SiloSystem

import struct Foundation.URL

/// Whether a redirect is followed, and to where.
struct RedirectRule: Sendable {
  /// How many redirects one request follows.
  let limit: Int

  /// The statuses that redirect a GET or HEAD.
  static let statuses: Set<Int> = [301, 302, 303, 307, 308]

  /// The URL to go on with.
  ///
  /// - Parameters:
  ///   - target: The absolute URL that the response names; `nil` when it names none that can be read.
  ///   - followed: The URLs that led here, the last one being the one that answered.
  ///   - carriesCredentials: Whether a secret went along with any of the requests so far.
  /// - Throws: `DownloadError`: `temporary` for a loop, `auth` for a step down to http that would follow a secret,
  ///   `unsupported` for another scheme.
  func next(to target: String?, after followed: [URL], carriesCredentials: Bool) throws -> URL {
    let origin = followed.last
    let subject = origin.map(Redaction.text(of:))
    guard let target, let url = URL(string: URLParts.escapingIllegal(target)) else {
      throw DownloadError(
        .unavailable, "The server redirects without saying to where.", subject: subject)
    }
    guard Origin(url) != nil else {
      throw DownloadError(
        .unsupported,
        "The server redirects to a \(Redaction.printable(url.scheme ?? "relative")) address; only http and https are followed.",
        subject: subject)
    }
    if origin?.scheme?.lowercased() == "https", url.scheme?.lowercased() == "http",
      carriesCredentials
    {
      throw DownloadError(
        .auth,
        "The server redirects from https to http; with credentials that is not followed. Give the http address without them if that is meant.",
        subject: subject)
    }
    // The same address twice may be meant (a cookie was set on the way); the limit ends a loop.
    guard followed.count <= limit else {
      throw DownloadError(
        .temporary, "More than \(limit) redirects: a loop. Try again later.", subject: subject)
    }
    return url
  }
}
