import CMicroHTTPD
import Glibc

/// Turns an answer into libmicrohttpd's response; the caller destroys it.
enum Reply {
  /// The response for `answer`, or `nil` when there is no memory or descriptor left for it.
  static func make(_ answer: ServerResponse) -> OpaquePointer? {
    guard let response = body(answer.body) else { return nil }
    for field in answer.headers {
      MHD_add_response_header(response, field.name, field.value)
    }
    return response
  }

  private static func body(_ body: ServerResponse.Body) -> OpaquePointer? {
    switch body {
    case .empty:
      return MHD_create_response_from_buffer(0, nil, .RESPMEM_PERSISTENT)
    case .file(let file, let range):
      // The response closes its descriptor; the file may be on its way in other answers.
      let descriptor = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0)
      guard descriptor >= 0 else { return nil }
      let response = MHD_create_response_from_fd_at_offset64(
        UInt64(range.upperBound - range.lowerBound), descriptor, UInt64(range.lowerBound))
      if response == nil { close(descriptor) }
      return response
    case .bytes(let bytes):
      return stream(SharedPieces([.bytes(bytes)]))
    case .pieces(let pieces):
      return stream(SharedPieces(pieces))
    }
  }

  /// Pieces that are copied bit by bit into the connection's buffer, and live until the last one was sent.
  private static func stream(_ pieces: SharedPieces) -> OpaquePointer? {
    let box = Unmanaged.passRetained(pieces)
    let response = MHD_create_response_from_callback(
      UInt64(pieces.byteCount), 64 * 1024,
      { cls, position, buffer, capacity in
        guard let cls, let buffer else { return silo_mhd_end_with_error }
        let pieces = Unmanaged<SharedPieces>.fromOpaque(cls).takeUnretainedValue()
        guard position < UInt64(pieces.byteCount) else { return silo_mhd_end_of_stream }
        let count = pieces.copy(
          from: Int64(position), to: UnsafeMutableRawBufferPointer(start: buffer, count: capacity))
        // A file that is shorter than it was: the connection is cut, never filled up.
        return count > 0 ? count : silo_mhd_end_with_error
      }, box.toOpaque(),
      { cls in
        if let cls { Unmanaged<SharedPieces>.fromOpaque(cls).release() }
      })
    if response == nil { box.release() }
    return response
  }
}

/// Pieces that a response of the daemon holds on to.
private final class SharedPieces: Sendable {
  let byteCount: Int64
  private let pieces: [(start: Int64, piece: ServerResponse.Piece)]

  init(_ list: [ServerResponse.Piece]) {
    var start: Int64 = 0
    pieces = list.map { piece in
      defer { start += piece.byteCount }
      return (start, piece)
    }
    byteCount = start
  }

  /// Copies what stands at `position`, at most one piece; 0 when it cannot be read.
  func copy(from position: Int64, to buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard let index = pieces.lastIndex(where: { $0.start <= position && $0.piece.byteCount > 0 })
    else { return 0 }
    let (start, piece) = pieces[index]
    let offset = position - start
    let count = Int(min(Int64(buffer.count), piece.byteCount - offset))
    guard count > 0 else { return 0 }
    switch piece {
    case .bytes(let bytes):
      buffer.copyBytes(from: bytes[Int(offset)..<Int(offset) + count])
      return count
    case .file(let file, let range):
      var result = 0
      repeat {
        result = pread(
          file.descriptor, buffer.baseAddress, count, off_t(range.lowerBound + offset))
      } while result < 0 && errno == EINTR
      return result
    }
  }
}
