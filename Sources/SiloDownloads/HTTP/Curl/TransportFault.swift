import CCurl
import SiloSystem

/// Why an exchange ended without a whole response: curl's result, as far as it matters what is done next.
struct TransportFault: Error, Sendable, Hashable {
  /// What is done next.
  enum Kind: Sendable, Hashable {
    /// The network or the server failed on the way: worth another attempt.
    case interrupted
    /// Nothing arrived for too long: worth another attempt.
    case stalled
    /// The certificate was refused.
    case certificate
    /// A file given for the connection (certificates, netrc, cookies) or the set-up cannot be used.
    case configuration
    /// The address itself cannot be used.
    case address
    /// What answers does not speak HTTP, or only its first version, which tells nothing of a body.
    case foreign
    /// Sign-in was refused.
    case signIn
    /// The body does not decode.
    case encoding
  }

  let kind: Kind
  /// What curl says about it, without control characters.
  let reason: String

  init(_ kind: Kind, _ reason: String) {
    self.kind = kind
    self.reason = reason
  }

  /// The fault that a result of curl means; `nil` for success.
  init?(_ code: CURLcode, detail: String) {
    guard code != CURLE_OK else { return nil }
    let text = detail.isEmpty ? String(cString: curl_easy_strerror(code)) : detail
    // Only the environment can name such a proxy: options are read before. The text holds its password.
    if text.hasPrefix("Unsupported proxy") {
      self.init(.configuration, "the proxy of the environment has an address of no known kind")
      return
    }
    self.init(Self.kinds[code.rawValue] ?? .interrupted, Redaction.printable(text))
  }

  /// Everything that is not listed is an interruption.
  private static let kinds: [UInt32: Kind] = {
    let rows: [(Kind, [CURLcode])] = [
      (.stalled, [CURLE_OPERATION_TIMEDOUT]),
      (
        .certificate,
        [
          CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS,
          CURLE_SSL_PINNEDPUBKEYNOTMATCH,
        ]
      ),
      (
        .configuration,
        [
          CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
          CURLE_SSL_ENGINE_NOTFOUND,
          CURLE_SSL_CRL_BADFILE, CURLE_OUT_OF_MEMORY, CURLE_FAILED_INIT, CURLE_NOT_BUILT_IN,
          CURLE_UNKNOWN_OPTION, CURLE_BAD_FUNCTION_ARGUMENT, CURLE_INTERFACE_FAILED,
        ]
      ),
      (.address, [CURLE_URL_MALFORMAT]),
      // Schemes are checked before.
      (.foreign, [CURLE_UNSUPPORTED_PROTOCOL]),
      (.signIn, [CURLE_LOGIN_DENIED, CURLE_REMOTE_ACCESS_DENIED, CURLE_AUTH_ERROR]),
      (.encoding, [CURLE_BAD_CONTENT_ENCODING]),
    ]
    return Dictionary(
      rows.flatMap { kind, codes in codes.map { ($0.rawValue, kind) } },
      uniquingKeysWith: { first, _ in first })
  }()
}
