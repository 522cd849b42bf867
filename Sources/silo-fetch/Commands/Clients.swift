import Foundation
import SiloDownloads

/// One downloader per origin whose credentials may not be mixed; one for all when nobody gave headers.
struct Clients: Sendable {
  private let byOrigin: [String: any Downloading]
  private let common: any Downloading
  private let server: (any Downloading)?

  /// The downloaders for `sources`.
  ///
  /// - Parameter server: For items of the server that is signed in to.
  init(
    _ options: HTTPOptions, sources: [String], server: (any Downloading)? = nil,
    make: (HTTPOptions) -> any Downloading
  ) {
    self.server = server
    let origins = Set(sources.compactMap(Self.origin))
    let hasSecrets =
      !options.userHeaders.isEmpty || options.usesNetrc || options.netrcFile != nil
    guard hasSecrets, !origins.isEmpty else {
      byOrigin = [:]
      common = make(options)
      return
    }
    var clients: [String: any Downloading] = [:]
    for origin in origins {
      var options = options
      options.credentialOrigin = URL(string: origin)
      clients[origin] = make(options)
    }
    byOrigin = clients
    // Local sources: no request of theirs may carry the headers anywhere.
    var plain = options
    plain.userHeaders = []
    common = make(plain)
  }

  /// The downloader for `source`.
  func client(for source: String) -> any Downloading {
    if let server, Self.isOfServer(source) { return server }
    return self[source]
  }

  /// Whether `source` is an item of the server that is signed in to.
  static func isOfServer(_ source: String) -> Bool { source.lowercased().hasPrefix("silo:") }

  private subscript(source: String) -> any Downloading {
    Self.origin(source).flatMap { byOrigin[$0] } ?? common
  }

  /// `https://host:port` of a URL, without anything else.
  static func origin(_ source: String) -> String? {
    guard let url = URLComponents(string: source), let scheme = url.scheme?.lowercased(),
      ["http", "https"].contains(scheme), let host = url.host?.lowercased(), !host.isEmpty
    else { return nil }
    return "\(scheme)://\(host):\(url.port ?? (scheme == "https" ? 443 : 80))"
  }
}
