/// A proxy as curl writes it, `[SCHEME://][USER:PASSWORD@]HOST[:PORT]`, read as far as it has to be judged and named (pure).
package struct ProxyAddress: Hashable, Sendable {
  /// The scheme; `http` when none is written.
  package let scheme: String
  /// The host and the port, as written, without user and password.
  package let host: String

  private static let schemes: Set<String> = [
    "http", "https", "socks4", "socks4a", "socks5", "socks5h",
  ]

  /// Reads `text`; `nil` when it is no proxy.
  package init?(_ text: String) {
    guard !text.unicodeScalars.contains(where: { $0.value <= 32 || $0.value == 127 }) else {
      return nil
    }
    var rest = text[...]
    var scheme = "http"
    if let range = text.firstRange(of: "://") {
      scheme = text[..<range.lowerBound].lowercased()
      rest = text[range.upperBound...]
    }
    guard Self.schemes.contains(scheme) else { return nil }
    if let at = rest.lastIndex(of: "@") { rest = rest[rest.index(after: at)...] }
    let host = rest.prefix { !"/?#".contains($0) }
    guard Self.isHost(host) else { return nil }
    self.scheme = scheme
    self.host = String(host)
  }

  /// A name or address, in brackets when it has colons, and a port or none.
  private static func isHost(_ text: Substring) -> Bool {
    let name: Substring
    let port: Substring
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]") else { return false }
      name = text[text.index(after: text.startIndex)..<end]
      port = text[text.index(after: end)...]
    } else {
      name = text.prefix { $0 != ":" }
      port = text[name.endIndex...]
    }
    let hasPort = port.first == ":" && (UInt16(port.dropFirst()) ?? 0) > 0
    return !name.isEmpty && (port.isEmpty || hasPort)
  }
}

extension ProxyAddress: CustomStringConvertible {
  /// `socks5://host:1080`.
  package var description: String { "\(scheme)://\(host)" }
}
