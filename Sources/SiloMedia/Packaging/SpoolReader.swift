import struct Foundation.URL

/// Reads the parts of one rendition's spool, each as soon as it is there.
struct SpoolReader {
  /// What is read.
  let input: RenditionInput
  private let file: FileByteSource

  /// Opens the spool, which is there before its parts are.
  init(_ input: RenditionInput) throws {
    self.input = input
    file = try FileByteSource(input.url)
  }

  /// What messages call the spool.
  var name: String { input.path }

  /// Where a part lies; waits for it.
  func range(of part: Int) throws -> Range<Int64> { try input.table.range(of: part) }

  /// All of a part; waits for it.
  func bytes(of part: Int) throws -> [UInt8] { try file.bytes(range(of: part)) }

  /// Up to `count` bytes at the front of a part; waits for it.
  func head(of part: Int, count: Int64) throws -> [UInt8] {
    try head(of: range(of: part), count: count)
  }

  /// Up to `count` bytes at the front of a part; `nil` when it is not there yet.
  func knownHead(of part: Int, count: Int64) throws -> [UInt8]? {
    try input.table.known(part).map { try head(of: $0, count: count) }
  }

  /// The length of a part; `nil` when it is not there yet.
  func knownByteCount(of part: Int) -> Int64? {
    input.table.known(part).map { Int64($0.count) }
  }

  /// Reads at an offset of the spool.
  func read(at offset: Int64, into buffer: inout MutableRawSpan) throws -> Int {
    try file.read(at: offset, into: &buffer)
  }

  private func head(of range: Range<Int64>, count: Int64) throws -> [UInt8] {
    try file.bytes(range.lowerBound..<min(range.lowerBound + count, range.upperBound))
  }
}
