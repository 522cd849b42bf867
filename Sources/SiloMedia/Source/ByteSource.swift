/// Bytes at an offset: no cursor, no protocol.
///
/// libav, the box readers and the checks all read through this, whatever lies behind: a file, HTTP ranges, memory.
/// A source may be read from one thread at a time; reading blocks that thread.
public protocol ByteSource: Sendable {
  /// The length in bytes, or `nil` when it is not known.
  var byteCount: Int64? { get }

  /// Reads up to `buffer.byteCount` bytes from `offset` and returns how many were read; 0 is the end.
  func read(at offset: Int64, into buffer: inout MutableRawSpan) throws -> Int

  /// Tells that all of `range` will be read soon, so that a source behind a network can ask for it at once.
  ///
  /// A hint: nothing is read yet, and a source for which it means nothing ignores it.
  func willRead(_ range: Range<Int64>)
}

extension ByteSource {
  /// Does nothing.
  public func willRead(_ range: Range<Int64>) {}
}

/// Something to look into: the bytes, and the name that errors and container detection may use.
public struct MediaSource: Sendable {
  /// What a look into a source reads first, in bytes.
  ///
  /// Enough for the headers of Matroska with the start of its media, and for the index of some minutes of MP4: mostly there is
  /// no second request then. An index at the end costs that much more; a slow line, half a second.
  public static let openingByteCount: Int64 = 384 << 10

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
