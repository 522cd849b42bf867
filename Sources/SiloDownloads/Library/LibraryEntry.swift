public import struct Foundation.URL

/// A file that was finished and verified, and that is kept.
public struct LibraryEntry: Sendable, Hashable, Identifiable {
  /// What became of the file since.
  public enum Condition: String, Sendable, Hashable {
    /// It has the length and the time of when it was finished; whether each byte is right tells `verify`.
    case finished
    /// Somebody changed it.
    case changed
    /// It is not there.
    case missing
  }

  /// The identity: that of the item of the queue, and of the `finished` event.
  public let id: String
  /// The source as it may be shown.
  public var source: String
  /// What it is called.
  public var title: String
  /// Where it lies.
  public var url: URL
  /// Its length in bytes when it was finished.
  public var byteCount: Int64
  /// Its SHA-256 when it was finished, in lower-case hexadecimal.
  public var sha256: String
  /// What became of it.
  public var condition: Condition
  let number: Int64
  /// The server, account and profile that it is of; `nil` of an item of no server.
  var owner: String?
}
