import SiloSystem

public import struct Foundation.URL

/// A file that was finished and verified, and that is kept.
public struct LibraryEntry: Sendable, Hashable, Identifiable {
  /// What became of the file since.
  public enum Condition: String, Sendable, Hashable {
    /// It has the length and the time of when it was finished; whether each byte is right tells `verify`.
    case finished
    /// Somebody changed it.
    case changed
    /// It is not there, nor anything else that is a file.
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
  /// The modification time in nanoseconds since 1970 when it was finished.
  let modified: Int64?
  /// The server, account and profile that it is of; `nil` of an item of no server.
  var owner: String?

  /// What lies where a file of this length and time was finished.
  static func condition(
    of path: String, _ byteCount: Int64, modified: Int64?
  ) -> Condition {
    guard let facts = FileFacts(path) else { return .missing }
    return facts.byteCount == byteCount && facts.modified == modified ? .finished : .changed
  }

  /// Refuses a file that is not there, as one word for all who read it.
  func requireFile() throws {
    guard FileFacts(url.path) == nil else { return }
    throw DownloadError(
      .notFound,
      SidecarDisk.exists(url.path)
        ? "The file is not there; what has its name is no file." : "The file is not there.",
      subject: Redaction.printable(url.path))
  }

  /// Refuses what is not the file that was finished.
  func requireUnchanged() throws {
    try requireFile()
    guard Self.condition(of: url.path, byteCount, modified: modified) != .finished else { return }
    throw DownloadError(
      .integrity,
      "The file was changed since it was finished; `library verify` tells how, and it is not exported.",
      subject: Redaction.printable(url.path))
  }
}
