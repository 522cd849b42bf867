/// The pieces of a remote file that are at hand.
struct PieceCache: Sendable {
  private struct Piece: Sendable {
    let start: Int64
    let bytes: [UInt8]
    var lastUse: Int

    var end: Int64 { start + Int64(bytes.count) }
  }

  private var pieces: [Piece] = []
  private var uses = 0
  private let capacity: Int

  /// A cache that lets go of what was used longest ago above `capacity` bytes.
  init(capacity: Int) { self.capacity = capacity }

  /// Adds a piece.
  mutating func insert(_ bytes: [UInt8], at start: Int64) {
    guard !bytes.isEmpty else { return }
    uses += 1
    pieces.append(Piece(start: start, bytes: bytes, lastUse: uses))
    pieces.sort { $0.start < $1.start }
    while pieces.count > 1, pieces.reduce(0, { $0 + $1.bytes.count }) > capacity {
      let oldest = pieces.indices.min { pieces[$0].lastUse < pieces[$1].lastUse }
      if let oldest { pieces.remove(at: oldest) }
    }
  }

  /// Copies what is at hand from `offset` on, over the seams of pieces; returns how many bytes that were.
  mutating func copy(at offset: Int64, into buffer: inout MutableRawSpan) -> Int {
    var done = 0
    while done < buffer.byteCount {
      let position = offset + Int64(done)
      guard let index = pieces.firstIndex(where: { $0.start <= position && position < $0.end })
      else { break }
      uses += 1
      pieces[index].lastUse = uses
      let from = Int(position - pieces[index].start)
      let count = min(buffer.byteCount - done, pieces[index].bytes.count - from)
      buffer.withUnsafeMutableBytes { target in
        UnsafeMutableRawBufferPointer(rebasing: target[done..<(done + count)]).copyBytes(
          from: pieces[index].bytes[from..<(from + count)])
      }
      done += count
    }
    return done
  }

  /// Where the next piece starts after `offset`; `nil` when there is none.
  func nextStart(after offset: Int64) -> Int64? {
    pieces.first { $0.start > offset }?.start
  }
}
