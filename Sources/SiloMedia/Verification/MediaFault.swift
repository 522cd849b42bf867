/// Something that is wrong with a media file.
public struct MediaFault: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The class of a fault.
  public enum Kind: String, Hashable, Sendable, Codable {
    /// The file ends too early.
    case cut
    /// A stretch that should be media is zeros, as preallocation or a hole leaves them.
    case zeros
    /// The structure is broken at a place.
    case damaged
    /// A track that was promised is not there, or is another.
    case track
    /// It plays shorter or longer than promised.
    case duration
    /// It has another length in bytes than promised.
    case byteCount
  }

  /// The class of the fault.
  public var kind: Kind
  /// What is wrong, in one sentence.
  public var message: String
  /// Where in the file, when it is at a place.
  public var offset: Int64?

  /// A fault of class `kind`.
  public init(_ kind: Kind, _ message: String, at offset: Int64? = nil) {
    self.kind = kind
    self.message = message
    self.offset = offset
  }

  /// The message, and the place when there is one.
  public var description: String { offset.map { "\(message) (at byte \($0))" } ?? message }
}
