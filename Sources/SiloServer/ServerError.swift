/// Why the server could not be started: what happened, and what to do about it.
public struct ServerError: Error, Sendable, CustomStringConvertible {
  /// The class of a failure; open, so that classes can be added.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name, as in JSON.
    public let description: String
    private init(_ name: String) { description = name }

    /// The folder is not there.
    public static let notFound = Code("not_found")
    /// The folder cannot be read, or the address cannot be listened on.
    public static let config = Code("config")
    /// The disk is full.
    public static let space = Code("space")
    /// Another server holds the data.
    public static let locked = Code("locked")
  }

  /// The class of the failure.
  public let code: Code
  /// What happened and what to do, in one or two sentences.
  public let message: String
  /// What it happened to: the folder or the address.
  public let subject: String

  init(_ code: Code, _ message: String, subject: String) {
    self.code = code
    self.message = message
    self.subject = subject
  }

  /// The subject and the message.
  public var description: String { "\(subject): \(message)" }
}
