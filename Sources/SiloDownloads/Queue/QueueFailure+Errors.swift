public import SiloMedia

extension QueueFailure {
  /// The failure that `error` is, as a row keeps it.
  public init(_ error: any Error) {
    switch error {
    case let error as DownloadError:
      self.init(error.code, error.description, isWorthRetrying: error.isWorthRetrying)
    case let error as MediaError:
      self.init(Self.code(of: error.code), error.description, isWorthRetrying: false)
    case is CancellationError:
      self.init(.interrupted, "stopped; it goes on from here", isWorthRetrying: true)
    default: self.init(.config, String(describing: error), isWorthRetrying: false)
    }
  }

  /// The class that an error of the media library belongs to.
  public static func code(of code: MediaError.Code) -> DownloadError.Code {
    let table: [MediaError.Code: DownloadError.Code] = [
      .unsupported: .unsupported, .encrypted: .unsupported, .malformed: .unsupported,
      .corrupt: .integrity, .notFound: .notFound, .overBudget: .space, .noSpace: .space,
      .usage: .usage, .inputOutput: .config, .internal: .config,
    ]
    return table[code] ?? .config
  }
}
