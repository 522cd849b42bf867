import SiloDownloads

/// How the program ends; the numbers are a promise to scripts.
struct ExitCode: Hashable, Sendable {
  /// The status of the process.
  let status: Int32
  private init(_ status: Int32) { self.status = status }

  /// Done, or nothing to do.
  static let success = ExitCode(0)
  /// Some items failed.
  static let someFailed = ExitCode(1)
  /// The command line is wrong.
  static let usage = ExitCode(2)
  /// Source, item or required language is not there.
  static let notFound = ExitCode(3)
  /// Sign-in is needed or was refused.
  static let auth = ExitCode(4)
  /// A retry may help.
  static let temporary = ExitCode(5)
  /// Every item failed, for different reasons.
  static let allFailed = ExitCode(6)
  /// Configuration, or output that cannot be written.
  static let config = ExitCode(7)
  /// Changed, corrupt, wrong length or digest.
  static let integrity = ExitCode(8)
  /// The disk is full or the budget exceeded.
  static let space = ExitCode(9)
  /// The feature or quality is not available.
  static let unavailable = ExitCode(10)
  /// Another process holds the output.
  static let locked = ExitCode(11)
  /// DRM, unknown encryption, no demuxer, no media.
  static let unsupported = ExitCode(12)
  /// Whoever read the output went away before its end: as SIGPIPE ends a program.
  static let readerGone = ExitCode(141)
  /// Interrupted with Ctrl-C.
  static let interrupted = ExitCode(130)
  /// Asked to terminate.
  static let terminated = ExitCode(143)

  /// The code of one failure.
  init(_ code: DownloadError.Code) {
    let table: [DownloadError.Code: ExitCode] = [
      .usage: .usage, .notFound: .notFound, .auth: .auth, .temporary: .temporary,
      .config: .config, .integrity: .integrity, .space: .space, .unavailable: .unavailable,
      .locked: .locked, .unsupported: .unsupported, .interrupted: .interrupted,
    ]
    self = table[code] ?? .config
  }

  /// The code of several items: success when none failed, one failure's own code, 1 when some finished, the shared
  /// code when all failed alike, else 6.
  init(succeeded: Int, failures: [ExitCode]) {
    guard let first = failures.first else {
      self = .success
      return
    }
    if succeeded > 0 {
      self = .someFailed
    } else {
      self = failures.allSatisfy { $0 == first } ? first : .allFailed
    }
  }
}
