import Glibc

/// The body of one answer on its way: the daemon's thread asks for the next bytes whenever the client took the last ones.
final class Transfer: Sendable {
  /// What there is to send next.
  enum Next: Sendable, Hashable {
    /// So many bytes were written into the buffer.
    case bytes(Int)
    /// Nothing yet: the connection sleeps, and is woken.
    case wait
    /// Everything was sent.
    case end
    /// What is left cannot be had: the connection is cut, so that the client hears of it.
    case cut
  }

  /// The length of the body.
  let byteCount: Int64
  private let pieces: [(start: Int64, piece: ServerResponse.Piece)]
  private let pace: TransferPace?
  private let block: BlockBudget.Block

  /// How much is read at a time.
  var blockByteCount: Int { block.byteCount }

  /// The body of an answer.
  ///
  /// - Parameter pace: Says how fast; `nil` for as fast as the client takes it.
  init(_ body: ServerResponse.Body, pace: TransferPace?, block: BlockBudget.Block) {
    let list: [ServerResponse.Piece] =
      switch body {
      case .empty: []
      case .bytes(let bytes): [.bytes(bytes)]
      case .file(let file, let range): [.file(file, range)]
      case .pieces(let pieces): pieces
      }
    var start: Int64 = 0
    pieces = list.map { piece in
      defer { start += piece.byteCount }
      return (start, piece)
    }
    byteCount = start
    (self.pace, self.block) = (pace, block)
  }

  /// Writes what stands at `position` into `buffer`, at most one piece, and as much as the pace allows.
  func read(at position: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Next {
    guard position < byteCount,
      let index = pieces.lastIndex(where: { $0.start <= position && $0.piece.byteCount > 0 })
    else { return .end }
    let (start, piece) = pieces[index]
    let offset = position - start
    var wanted = Int(min(Int64(buffer.count), piece.byteCount - offset))
    if let pace {
      switch pace.take(upTo: wanted, of: byteCount - position) {
      case .granted(let count): wanted = count
      case .wait: return .wait
      case .closed: return .cut
      }
    }
    let target = UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted])
    switch piece {
    case .bytes(let bytes):
      target.copyBytes(from: bytes[Int(offset)..<Int(offset) + wanted])
      return .bytes(wanted)
    case .file(let file, let range):
      return Self.read(file, at: range.lowerBound + offset, into: target)
    }
  }

  /// Reads from a file that must still be what it was when the answer began.
  ///
  /// Looked at after the read: a write sets the time of the file before it touches the bytes.
  private static func read(
    _ file: OpenFile, at offset: Int64, into buffer: UnsafeMutableRawBufferPointer
  ) -> Next {
    var count = 0
    repeat {
      count = pread(file.descriptor, buffer.baseAddress, buffer.count, off_t(offset))
    } while count < 0 && errno == EINTR
    return count > 0 && file.isUnchanged ? .bytes(count) : .cut
  }
}
