import Synchronization

/// Lets libav read a remote source in blocks, so that its many small reads cost few requests.
final class BlockByteSource: ByteSource {
  private static let blockByteCount = MediaSource.openingByteCount

  private struct State: Sendable {
    var blocks: [Int64: [UInt8]] = [:]
    var fetchedByteCount: Int64 = 0
  }

  private let source: any ByteSource
  private let byteBudget: Int64
  private let state = Mutex(State())

  /// Blocks of `source`, at most `byteBudget` bytes of them.
  init(_ source: any ByteSource, byteBudget: Int64) {
    self.source = source
    self.byteBudget = byteBudget
  }

  var byteCount: Int64? { source.byteCount }

  func read(at offset: Int64, into buffer: inout MutableRawSpan) throws -> Int {
    if let byteCount, offset >= byteCount { return 0 }
    let number = offset / Self.blockByteCount
    let block = try block(number)
    let start = Int(offset - number * Self.blockByteCount)
    guard start < block.count else { return 0 }
    let count = min(buffer.byteCount, block.count - start)
    buffer.withUnsafeMutableBytes { $0.copyBytes(from: block[start..<start + count]) }
    return count
  }

  private func block(_ number: Int64) throws -> [UInt8] {
    if let held = state.withLock({ $0.blocks[number] }) { return held }
    let start = number * Self.blockByteCount
    let end = min(start + Self.blockByteCount, byteCount ?? .max)
    let fits = state.withLock { state in
      state.fetchedByteCount += end - start
      return state.fetchedByteCount <= byteBudget
    }
    guard fits else {
      throw MediaError(.corrupt, "Looking into it needs more than \(byteBudget) bytes.")
    }
    let bytes = try source.bytes(start..<end)
    state.withLock { $0.blocks[number] = bytes }
    return bytes
  }
}
