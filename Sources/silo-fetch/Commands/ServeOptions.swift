import SiloServer

/// What `serve` starts.
struct ServeOptions: Sendable {
  /// The folder of media.
  var folder: String
  /// The name or address to listen on.
  var host: String
  /// The port; 0 takes a free one.
  var port: UInt16
  /// Called for every request; `nil` when nobody wants to know.
  var log: (@Sendable (RequestRecord) -> Void)?

  /// Reads `HOST:PORT`, `[ADDRESS]:PORT`.
  static func listen(_ text: String) -> (host: String, port: UInt16)? {
    guard let colon = text.lastIndex(of: ":"),
      let port = UInt16(text[text.index(after: colon)...])
    else { return nil }
    var host = String(text[..<colon])
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = String(host.dropFirst().dropLast())
    } else if host.contains(":") {
      return nil
    }
    return host.isEmpty ? nil : (host, port)
  }
}
