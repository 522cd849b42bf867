/// Ranges of a source, one behind the other, as one source.
struct JoinedByteSource: ByteSource {
  private let source: any ByteSource
  private let ranges: [Range<Int64>]
  /// Where each range starts in the whole, and the end of the last.
  private let starts: [Int64]

  /// The joined `ranges` of `source`.
  init(_ source: any ByteSource, ranges: [Range<Int64>]) {
    self.source = source
    self.ranges = ranges.filter { !$0.isEmpty }
    var starts: [Int64] = [0]
    for range in self.ranges {
      starts.append(starts[starts.count - 1] &+ (range.upperBound - range.lowerBound))
    }
    self.starts = starts
  }

  var byteCount: Int64? { starts.last }

  func read(at offset: Int64, into buffer: inout MutableRawSpan) throws -> Int {
    guard offset >= 0, let end = starts.last, offset < end, buffer.byteCount > 0 else { return 0 }
    let index = piece(at: offset)
    let inside = offset - starts[index]
    let range = ranges[index]
    let count = Int(min(Int64(buffer.byteCount), range.upperBound - range.lowerBound - inside))
    return try buffer.withUnsafeMutableBytes { bytes in
      var part = UnsafeMutableRawBufferPointer(rebasing: bytes[..<count]).mutableBytes
      return try source.read(at: range.lowerBound + inside, into: &part)
    }
  }

  /// The range that holds `offset`, by halving.
  private func piece(at offset: Int64) -> Int {
    var (low, high) = (0, ranges.count - 1)
    while low < high {
      let middle = (low + high + 1) / 2
      if starts[middle] <= offset { low = middle } else { high = middle - 1 }
    }
    return low
  }
}
