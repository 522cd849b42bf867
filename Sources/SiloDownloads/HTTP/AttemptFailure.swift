import SiloSystem

import struct Foundation.URL

/// A failed attempt: the error that it is when nothing helps, and whether another attempt may.
struct AttemptFailure: Sendable {
  let error: DownloadError
  let isRetried: Bool
  /// What happened, shorter than the error says it and without advice.
  let reason: String
  /// The pause that the server asks for.
  var retryAfter: Duration?
  /// Media came compressed: asked once more, then refused.
  var isEncodedMedia = false
  /// Whether the way to the server failed, and not the server.
  var isOnTheWay = false

  /// The meaning of a status.
  ///
  /// - Parameter said: The body that came with it.
  init(status: Int, at url: URL, retryAfter: Duration?, said: [UInt8] = []) {
    let rule = StatusRule(status: status)
    error = DownloadError(
      rule.code, "\(rule.message) (HTTP \(status))", subject: Redaction.text(of: url),
      status: status, cause: said.isEmpty ? nil : ServerWords(said))
    isRetried = rule.isRetried
    reason = "the server answers HTTP \(status)"
    self.retryAfter = retryAfter
  }

  /// The meaning of a fault on the way.
  ///
  /// - Parameter proxy: The proxy that was to be used: what cannot be reached may be that.
  init(_ fault: TransportFault, at url: URL, through proxy: String? = nil) {
    let row = Self.row(fault.kind)
    let isOnTheWay = fault.kind == .interrupted || fault.kind == .stalled
    let way =
      isOnTheWay ? proxy.flatMap { ProxyAddress($0) }.map { "through the proxy \($0): " } : nil
    error = DownloadError(
      row.code, "\(row.message) (\(way ?? "")\(fault.reason))", subject: Redaction.text(of: url),
      cause: fault)
    isRetried = row.isRetried
    let what =
      switch fault.kind {
      case .stalled: "the server stalls"
      case .encoding: "the answer does not decode"
      default: "the connection failed"
      }
    reason = "\(what) (\(way ?? "")\(fault.reason))"
    self.isOnTheWay = isOnTheWay
  }

  /// Media that came compressed.
  init(encodedMediaAt url: URL) {
    error = DownloadError(
      .integrity, "The server compresses the media although it was asked not to.",
      subject: Redaction.text(of: url))
    isRetried = true
    reason = "the server compresses the media"
    isEncodedMedia = true
  }

  /// A length beyond any file.
  init(lengthAt url: URL) {
    error = DownloadError(
      .integrity, "The server announces more bytes than any file has.",
      subject: Redaction.text(of: url))
    isRetried = false
    reason = "the server announces too much"
  }

  private static func row(_ kind: TransportFault.Kind)
    -> (code: DownloadError.Code, isRetried: Bool, message: String)
  {
    switch kind {
    case .interrupted: (.temporary, true, "The connection failed. Try again later.")
    case .stalled: (.temporary, true, "The server stopped answering. Try again later.")
    case .certificate:
      (
        .config, false,
        "The server's certificate is refused. Name the file of the authority that signed it if you trust it."
      )
    case .configuration: (.config, false, "The connection cannot be set up as configured.")
    case .foreign: (.unavailable, false, "What answers there is no web server.")
    case .address: (.usage, false, "The address cannot be used.")
    case .signIn: (.auth, false, "Sign-in was refused.")
    case .encoding: (.integrity, true, "The compressed answer does not decode.")
    }
  }
}

/// What a server said beside a status that is no success: for whoever speaks its language, and no message of ours.
struct ServerWords: Error, Sendable, CustomStringConvertible {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var description: String { "\(bytes.count) bytes of the server" }
}
