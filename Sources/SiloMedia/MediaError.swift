/// What went wrong with a piece of media: what happened, and what to do about it.
public struct MediaError: Error, Sendable, CustomStringConvertible {
  /// The class of a failure; open, so that classes can be added.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name, as in JSON.
    public let description: String
    private init(_ name: String) { description = name }

    /// The input is no media, or of a kind that no demuxer here reads.
    public static let unsupported = Code("unsupported")
    /// DRM or an unknown encryption.
    public static let encrypted = Code("encrypted")
    /// The input is cut, damaged, or not what was promised.
    public static let corrupt = Code("corrupt")
    /// A playlist or text that breaks its grammar; the message names the line.
    public static let malformed = Code("malformed")
    /// A track, language or rendition that is not there.
    public static let notFound = Code("not_found")
    /// The selection does not fit the budget.
    public static let overBudget = Code("over_budget")
    /// The request contradicts itself.
    public static let usage = Code("usage")
    /// Reading or writing failed.
    public static let inputOutput = Code("io")
    /// There is no space left on the device.
    public static let noSpace = Code("no_space")
    /// A library could not be used as expected.
    public static let `internal` = Code("internal")
  }

  /// The class of the failure.
  public let code: Code
  /// What happened and what to do, in one or two sentences without secrets or control characters.
  public let message: String
  /// What it happened to: a path, a redacted URL, a track.
  public let subject: String?
  /// The error underneath.
  public let cause: (any Error)?

  /// A failure of class `code`.
  public init(
    _ code: Code, _ message: String, subject: String? = nil, cause: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.subject = subject
    self.cause = cause
  }

  /// The subject and the message.
  public var description: String {
    if let subject { "\(subject): \(message)" } else { message }
  }
}
