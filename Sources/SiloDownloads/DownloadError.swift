/// What went wrong with a download: what happened, and what to do about it.
public struct DownloadError: Error, Sendable, CustomStringConvertible {
  /// The class of a failure, named as in `failed.code` of the JSON; open, so that classes can be added.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name, as in JSON.
    public let description: String
    private init(_ name: String) { description = name }

    /// The class of that name, as a record of a failure has it; a name that is not known is kept.
    init(stored name: String) { self.init(name) }

    /// The request contradicts itself.
    public static let usage = Code("usage")
    /// The source, an item or a required language is not there.
    public static let notFound = Code("not_found")
    /// Sign-in is needed or was refused.
    public static let auth = Code("auth")
    /// A retry may help.
    public static let temporary = Code("temporary")
    /// Configuration, certificate, output that cannot be written.
    public static let config = Code("config")
    /// Changed, corrupt, wrong length or digest, a piece that cannot be had.
    public static let integrity = Code("integrity")
    /// The disk is full or the budget exceeded.
    public static let space = Code("space")
    /// The server does not offer it.
    public static let unavailable = Code("unavailable")
    /// Another process holds the output.
    public static let locked = Code("locked")
    /// DRM, unknown encryption, no demuxer, no media.
    public static let unsupported = Code("unsupported")
    /// Stopped by the user; the partial is kept.
    public static let interrupted = Code("interrupted")
  }

  /// The class of the failure.
  public let code: Code
  /// What happened and what to do, in one or two sentences without secrets or control characters.
  public let message: String
  /// What it happened to: a path, a redacted URL, a track.
  public let subject: String?
  /// The error underneath.
  public let cause: (any Error)?
  /// The HTTP status that it came with.
  public let status: Int?

  /// Whether trying again later may help.
  public var isWorthRetrying: Bool { code == .temporary || code == .interrupted }

  /// A failure of class `code`.
  public init(
    _ code: Code, _ message: String, subject: String? = nil, status: Int? = nil,
    cause: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.subject = subject
    self.status = status
    self.cause = cause
  }

  /// The subject and the message.
  public var description: String {
    if let subject { "\(subject): \(message)" } else { message }
  }
}
