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
      return stream(bytes)
    }
  }

  /// Bytes that are copied piece by piece into the connection's buffer, and live until the last one was sent.
  private static func stream(_ bytes: [UInt8]) -> OpaquePointer? {
    let box = Unmanaged.passRetained(SharedBytes(bytes))
    let response = MHD_create_response_from_callback(
      UInt64(bytes.count), 64 * 1024,
      { cls, position, buffer, capacity in
        guard let cls, let buffer else { return silo_mhd_end_with_error }
        let bytes = Unmanaged<SharedBytes>.fromOpaque(cls).takeUnretainedValue().bytes
        guard position < UInt64(bytes.count) else { return silo_mhd_end_of_stream }
        let piece = bytes[Int(position)...].prefix(capacity)
        UnsafeMutableRawBufferPointer(start: buffer, count: piece.count).copyBytes(from: piece)
        return piece.count
      }, box.toOpaque(),
      { cls in
        if let cls { Unmanaged<SharedBytes>.fromOpaque(cls).release() }
      })
    if response == nil { box.release() }
    return response
  }
}

/// Bytes that a response of the daemon holds on to.
private final class SharedBytes: Sendable {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }
}
