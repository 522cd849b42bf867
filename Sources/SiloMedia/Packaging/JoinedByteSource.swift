import Synchronization

/// Parts of a spool, one behind the other, as one source; waits for those that are not there yet.
///
/// It never tells its real length, whether everything is there or not: so a demuxer does not look for the end first.
final class JoinedByteSource: ByteSource {
  private struct State {
    var ranges: [Range<Int64>] = []
    /// Where each range starts in the whole, and the end of the last.
    var starts: [Int64] = [0]
    /// Whether what was read is let go: from when the demuxer has looked at the front.
    var isLettingGo = false
    /// How many ranges were let go.
    var passedCount = 0
  }

  private let reader: SpoolReader
  private let parts: [Int]
  private let hasInit: Bool
  private let cutsTags: Bool
  /// The length that the demuxer is told.
  let byteCount: Int64?
  private let state = Mutex(State())

  /// The segments of `stretch` behind their init section; without the ID3 tags at their front when `cuttingTags`.
  init(_ reader: SpoolReader, _ stretch: SpoolPart, cuttingTags: Bool, byteCount: Int64?) {
    self.reader = reader
    hasInit = stretch.initPart != nil
    parts = (stretch.initPart.map { [$0] } ?? []) + stretch.segments.map(\.part)
    cutsTags = cuttingTags
    self.byteCount = byteCount
  }

  func read(at offset: Int64, into buffer: inout MutableRawSpan) throws -> Int {
    guard offset >= 0, buffer.byteCount > 0 else { return 0 }
    while true {
      let (found, next) = state.withLock { state in
        (Self.place(of: offset, in: state), state.ranges.count)
      }
      if let (piece, rest) = found {
        letGo(before: piece - 1)
        return try buffer.withUnsafeMutableBytes { bytes in
          let count = min(bytes.count, rest.count)
          var part = UnsafeMutableRawBufferPointer(rebasing: bytes[..<count]).mutableBytes
          return try reader.read(at: rest.lowerBound, into: &part)
        }
      }
      guard next < parts.count else { return 0 }
      let range = try range(of: next)
      state.withLock { state in
        state.ranges.append(range)
        state.starts.append(state.starts[next] &+ (range.upperBound - range.lowerBound))
      }
    }
  }

  /// The segment of the stretch that holds a byte of the whole that was read; `nil` for one of the init section.
  func segment(at position: Int64) -> Int? {
    let piece = state.withLock { state in Self.piece(at: position, in: state) }
    return piece.flatMap { hasInit ? ($0 == 0 ? nil : $0 - 1) : $0 }
  }

  /// From now on, what was read is told to be passed: a demuxer goes back within a segment, but not beyond the one before.
  func startLettingGo() { state.withLock { $0.isLettingGo = true } }

  /// Everything was read.
  func letGoOfAll() { letGo(before: parts.count) }

  private func letGo(before piece: Int) {
    guard let passed = reader.input.passed else { return }
    let pieces = state.withLock { state -> Range<Int> in
      guard state.isLettingGo, piece > state.passedCount else { return 0..<0 }
      defer { state.passedCount = piece }
      return state.passedCount..<piece
    }
    // Init sections are small, and needed again.
    for index in pieces where !(hasInit && index == 0) { passed(parts[index]) }
  }

  private func range(of index: Int) throws -> Range<Int64> {
    let range = try reader.range(of: parts[index])
    guard cutsTags else { return range }
    let tag = PackedAudioTag(try reader.head(of: parts[index], count: PackedAudioTag.longest))
    return min(range.lowerBound + Int64(tag.byteCount), range.upperBound)..<range.upperBound
  }

  /// What of the spool begins at `offset` of the whole; `nil` when it lies beyond what is known.
  private static func place(
    of offset: Int64, in state: State
  ) -> (piece: Int, rest: Range<Int64>)? {
    guard let piece = piece(at: offset, in: state) else { return nil }
    let range = state.ranges[piece]
    return (piece, (range.lowerBound + offset - state.starts[piece])..<range.upperBound)
  }

  /// The range that holds `offset`, by halving.
  private static func piece(at offset: Int64, in state: State) -> Int? {
    guard offset >= 0, let end = state.starts.last, offset < end else { return nil }
    var (low, high) = (0, state.ranges.count - 1)
    while low < high {
      let middle = (low + high + 1) / 2
      if state.starts[middle] <= offset { low = middle } else { high = middle - 1 }
    }
    return low
  }
}
