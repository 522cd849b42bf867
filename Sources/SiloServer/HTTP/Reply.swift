import CMicroHTTPD

/// Turns an answer into libmicrohttpd's response; the caller destroys it.
enum Reply {
  /// The response for `answer` with `transfer` as its body, or `nil` when there is no memory left for it.
  static func make(_ answer: ServerResponse, _ transfer: Transfer) -> OpaquePointer? {
    guard let response = body(transfer) else { return nil }
    for field in answer.headers {
      MHD_add_response_header(response, field.name, field.value)
    }
    return response
  }

  /// Pieces that are copied bit by bit into the connection's buffer, and live until the last one was sent.
  private static func body(_ transfer: Transfer) -> OpaquePointer? {
    guard transfer.byteCount > 0 else {
      return MHD_create_response_from_buffer(0, nil, .RESPMEM_PERSISTENT)
    }
    let box = Unmanaged.passRetained(transfer)
    let response = MHD_create_response_from_callback(
      UInt64(transfer.byteCount), transfer.blockByteCount,
      { cls, position, buffer, capacity in
        guard let cls else { return silo_mhd_end_with_error }
        let transfer = Unmanaged<Transfer>.fromOpaque(cls).takeUnretainedValue()
        let target = UnsafeMutableRawBufferPointer(start: buffer, count: capacity)
        return switch transfer.read(at: Int64(clamping: position), into: target) {
        case .bytes(let count): count
        case .wait: 0
        case .end: silo_mhd_end_of_stream
        case .cut: silo_mhd_end_with_error
        }
      }, box.toOpaque(),
      { cls in
        if let cls { Unmanaged<Transfer>.fromOpaque(cls).release() }
      })
    if response == nil { box.release() }
    return response
  }
}
