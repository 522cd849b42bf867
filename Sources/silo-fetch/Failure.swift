import SiloDownloads
import SiloMedia
import SiloServer

/// A failure as the program reports it, whatever layer it comes from.
struct Failure: Sendable, Equatable {
  /// The class, as in JSON's `failed.code`.
  var code: DownloadError.Code
  /// What happened and what to do.
  var message: String
  /// Whether trying again later may help.
  var isWorthRetrying: Bool

  /// A failure of the given parts.
  init(_ code: DownloadError.Code, _ message: String, isWorthRetrying: Bool = false) {
    self.code = code
    self.message = message
    self.isWorthRetrying = isWorthRetrying
  }

  /// The failure that `error` is.
  init(_ error: any Error) {
    switch error {
    case let error as DownloadError:
      self.init(error.code, error.description, isWorthRetrying: error.isWorthRetrying)
    case let error as MediaError:
      self.init(Self.code(of: error.code), error.description)
    case let error as ServerError:
      let codes: [ServerError.Code: DownloadError.Code] = [
        .notFound: .notFound, .locked: .locked, .space: .space,
      ]
      self.init(codes[error.code] ?? .config, error.description)
    case is CancellationError:
      self.init(
        .interrupted, "stopped; the same command continues from here", isWorthRetrying: true)
    case let error as UsageError:
      self.init(error.exitCode == .config ? .config : .usage, error.description)
    default:
      self.init(.config, String(describing: error))
    }
  }

  /// The class that a media error belongs to.
  static func code(of code: MediaError.Code) -> DownloadError.Code {
    let table: [MediaError.Code: DownloadError.Code] = [
      .unsupported: .unsupported, .encrypted: .unsupported, .malformed: .unsupported,
      .corrupt: .integrity, .notFound: .notFound, .overBudget: .space, .noSpace: .space,
      .usage: .usage, .inputOutput: .config, .internal: .config,
    ]
    return table[code] ?? .config
  }
}
