/// What an HTTP status means for a download: one table.
struct StatusRule: Sendable, Hashable {
  /// The class of the failure.
  let code: DownloadError.Code
  /// Whether the same request is worth sending again.
  let isRetried: Bool
  /// What happened and what to do.
  let message: String

  /// The meaning of a status that is no success and no redirect that is followed.
  init(status: Int) {
    if let row = Self.rows[status] {
      self = row
    } else {
      self =
        switch status {
        case 500...: Self(.temporary, true, "The server failed. Try again later.")
        case 400..<500: Self(.unavailable, false, "The server refuses the request.")
        default: Self(.unavailable, false, "The server's answer has no meaning here.")
        }
    }
  }

  private init(_ code: DownloadError.Code, _ isRetried: Bool, _ message: String) {
    self.code = code
    self.isRetried = isRetried
    self.message = message
  }

  private static let rows: [Int: StatusRule] = [
    401: Self(.auth, false, "The server asks for sign-in, or refuses the one that it was given."),
    403: Self(.auth, false, "The server forbids access: the link may have expired."),
    404: Self(.notFound, false, "Not found on the server."),
    407: Self(.config, false, "The proxy asks for sign-in: give it with the proxy's address."),
    408: Self(.temporary, true, "The server lost patience. Try again later."),
    410: Self(.notFound, false, "Gone from the server for good."),
    416: Self(.integrity, false, "The server has no such range: the file is shorter than it was."),
    421: Self(
      .temporary, true, "The server does not answer for this address now. Try again later."),
    425: Self(.temporary, true, "The server wants the request again later."),
    429: Self(.temporary, true, "Too many requests for the server. Try again later."),
    451: Self(.unavailable, false, "Withheld for legal reasons."),
    501: Self(.unavailable, false, "The server does not support the request."),
    505: Self(.unavailable, false, "The server does not support this version of HTTP."),
  ]
}
