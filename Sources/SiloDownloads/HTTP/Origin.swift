public import struct Foundation.URL

/// Scheme, host and port: whom a credential belongs to.
public struct Origin: Sendable, Hashable, CustomStringConvertible {
  /// The scheme, in lower case.
  public let scheme: String
  /// The host, in lower case, without brackets and without the root's dot.
  public let host: String
  /// The port, the scheme's own when the URL names none.
  public let port: Int

  /// The origin of an absolute http or https URL; `nil` for every other.
  public init?(_ url: URL) {
    guard let scheme = url.scheme?.lowercased(), let defaultPort = Self.defaultPorts[scheme],
      var host = url.host(percentEncoded: false)?.lowercased(), !host.isEmpty
    else { return nil }
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    if host.hasSuffix(".") { host.removeLast() }
    self.scheme = scheme
    self.host = host
    self.port = url.port ?? defaultPort
  }

  private static let defaultPorts = ["http": 80, "https": 443]

  /// As in a URL, with the port always.
  public var description: String {
    host.contains(":") ? "\(scheme)://[\(host)]:\(port)" : "\(scheme)://\(host):\(port)"
  }
}
