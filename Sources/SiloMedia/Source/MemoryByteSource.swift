/// Bytes in memory: a segment, or an init section and a segment joined.
public struct MemoryByteSource: ByteSource {
  private let bytes: [UInt8]

  /// A source over `bytes`.
  public init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The number of bytes.
  public var byteCount: Int64? { Int64(bytes.count) }

  /// Copies from `offset`; 0 behind the end.
  public func read(at offset: Int64, into buffer: inout MutableRawSpan) -> Int {
    guard offset >= 0, offset < Int64(bytes.count) else { return 0 }
    let start = Int(offset)
    let count = min(buffer.byteCount, bytes.count - start)
    bytes.withUnsafeBytes { all in
      buffer.withUnsafeMutableBytes { target in
        target.copyMemory(from: UnsafeRawBufferPointer(rebasing: all[start..<start + count]))
      }
    }
    return count
  }
}

extension MediaSource {
  /// Media in memory, called `name` in messages.
  public init(name: String, bytes: [UInt8]) {
    self.init(name: name, bytes: MemoryByteSource(bytes))
  }
}
