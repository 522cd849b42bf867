package import struct Foundation.URL
package import struct Foundation.URLComponents
package import struct Foundation.URLQueryItem

/// Where a Silo server is: scheme, host, port, and the path that its API lies under (pure).
package struct SiloAddress: Hashable, Sendable, CustomStringConvertible {
  /// The address of the server, without a slash at its end.
  package let root: URL

  /// Reads what a person types or pastes: `https://host:port`, with or without `/api/v1` at the end.
  ///
  /// - Throws: `DownloadError.usage` for another scheme, a user, a password, a query.
  package init(_ text: String) throws {
    let trimmed = text.hasSuffix("/api/v1") ? String(text.dropLast(7)) : text
    guard var parts = URLComponents(string: trimmed), let scheme = parts.scheme?.lowercased(),
      ["http", "https"].contains(scheme), parts.host?.isEmpty == false
    else { throw Self.refused("A server's address looks like https://media.example:8080.") }
    guard parts.user == nil, parts.password == nil else {
      throw Self.refused("Name and password do not belong into the address: give --username.")
    }
    guard parts.query == nil, parts.fragment == nil else {
      throw Self.refused("A server's address has no query.")
    }
    parts.scheme = scheme
    while parts.path.hasSuffix("/") { parts.path.removeLast() }
    guard let url = parts.url else { throw Self.refused("The address cannot be read.") }
    root = url
  }

  private static func refused(_ message: String) -> DownloadError {
    DownloadError(.usage, message)
  }

  /// Whether what is sent there can be read on the way: plain http to another machine.
  package var isInTheClear: Bool {
    root.scheme == "http" && !["127.0.0.1", "localhost", "[::1]", "::1"].contains(root.host ?? "")
  }

  /// The address of a call, such as `auth/login`.
  ///
  /// - Parameter query: Names and values, percent-encoded here.
  package func url(_ path: String, query: [(name: String, value: String)] = []) -> URL {
    let url = root.appending(path: "api/v1/" + path)
    guard !query.isEmpty, var parts = URLComponents(url: url, resolvingAgainstBaseURL: false) else {
      return url
    }
    parts.queryItems = query.map { .init(name: $0.name, value: $0.value) }
    // A plus is a space to many servers.
    parts.percentEncodedQuery = parts.percentEncodedQuery?.replacing("+", with: "%2B")
    return parts.url ?? url
  }

  /// As a person reads it.
  package var description: String { root.absoluteString }
}
