import SiloContract
import SiloSystem

/// What a server's refusal means for us: one table (pure).
///
/// By the code of its envelope; the status decides where there is none, or one that nobody knows.
enum SiloRefusal {
  /// The error of an answer with `status` and the words `bytes`.
  static func error(status: Int, said bytes: [UInt8], subject: String?) -> DownloadError {
    let envelope = try? ContractJSON.decode(ErrorEnvelope.self, from: bytes)
    let row = row(status: status, code: envelope?.error)
    let said = envelope?.message.map { Redaction.printable(Redaction.cut($0, to: 200)) }
    let detail = said.map { " The server says: \($0)" } ?? ""
    return DownloadError(
      row.code, row.message + detail, subject: subject, status: status,
      cause: envelope.map { SiloRefusalCode(code: $0.error) })
  }

  static func row(status: Int, code: ErrorCode?) -> (code: DownloadError.Code, message: String) {
    if let code, let row = byCode[code] { return row }
    switch status {
    case 401: return (.auth, "The sign-in is not valid any more. Sign in again.")
    case 400, 422: return (.integrity, "The server does not understand the request.")
    case 404: return (.notFound, "Not found on the server.")
    case 501: return (.unavailable, "The server cannot do this; is it a Silo server?")
    case 408, 425, 429, 500...: return (.temporary, "The server failed. Try again later.")
    default: return (.unavailable, "The server refuses the request.")
    }
  }

  private static let byCode: [ErrorCode: (code: DownloadError.Code, message: String)] = [
    .unauthorized: (.auth, "The sign-in is not valid any more. Sign in again."),
    .invalidCredentials: (.auth, "Name or password is wrong."),
    .userDisabled: (.auth, "The account is disabled."),
    .profileUnverified: (.auth, "The profile asks for its PIN: sign in with --profile again."),
    .profileRequired: (.auth, "The server wants a profile: sign in with --profile."),
    .tooManyAttempts: (.temporary, "Too many requests for the server. Try again later."),
    .limitExceeded: (.temporary, "Too many downloads are active. Try again later."),
    .quotaExceeded: (.space, "The account's quota of downloads is used up."),
    .featureDisabled: (.unavailable, "Downloads are disabled on the server."),
    .forbidden: (.unavailable, "The account may not download."),
    .transcodeDisabled: (.unavailable, "The server makes no other qualities than the original."),
    .qualityUnavailable: (.unavailable, "The server cannot make this quality now."),
    .bulkQualityUnavailable: (.unavailable, "Seasons are to be had in original quality only."),
    .formatUnavailable: (.unavailable, "The server cannot make this format."),
    .invalidQuality: (.usage, "The server knows no such quality."),
    .clientUpgradeRequired: (.unavailable, "The server speaks only a newer version of its API."),
    .noDownloadableEpisodes: (.notFound, "No episode of it has a file on the server."),
    .notFound: (.notFound, "Not found on the server."),
    .downloadInactive: (.notFound, "The server does not give this download out any more."),
  ]
}

/// The server's own name for a refusal, underneath the error.
struct SiloRefusalCode: Error, Hashable, Sendable {
  let code: ErrorCode
}

extension DownloadError {
  /// What the Silo server called it; `nil` when it said nothing, or something else failed.
  var siloCode: ErrorCode? { (cause as? SiloRefusalCode)?.code }
}
