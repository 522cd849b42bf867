/// Bytes at an offset: no cursor, no protocol.
///
/// libav, the box readers and the checks all read through this, whatever lies behind: a file, HTTP ranges, memory.
/// A source may be read from one thread at a time; reading blocks that thread.
public protocol ByteSource: Sendable {
  /// The length in bytes, or `nil` when it is not known.
  var byteCount: Int64? { get }

  /// Reads up to `buffer.byteCount` bytes from `offset` and returns how many were read; 0 is the end.
  func read(at offset: Int64, into buffer: inout MutableRawSpan) throws -> Int
}

/// Something to look into: the bytes, and the name that errors and container detection may use.
public struct MediaSource: Sendable {
  /// What messages call it: a path or a URL without its query and credentials.
  public let name: String
  /// Where its bytes come from.
  public let bytes: any ByteSource

  /// A source over bytes of the caller's own.
  public init(name: String, bytes: any ByteSource) {
    self.name = name
    self.bytes = bytes
  }
}
