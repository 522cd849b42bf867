import CCurl

/// The handle of curl that drives every exchange of a client and keeps its connections.
///
/// Exchanges that were added have to be removed, and to live, until then; the client that owns both sees to it.
struct MultiHandle: ~Copyable {
  private let pointer: UnsafeMutableRawPointer

  init(connectionsPerHost: Int) throws(TransportFault) {
    guard let pointer = curl_multi_init() else {
      throw TransportFault(.configuration, "libcurl cannot be initialised")
    }
    self.pointer = pointer
    silo_multi_set_long(pointer, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
    silo_multi_set_long(pointer, CURLMOPT_MAX_HOST_CONNECTIONS, max(1, connectionsPerHost))
    silo_multi_set_long(pointer, CURLMOPT_MAXCONNECTS, max(64, connectionsPerHost * 2))
  }

  deinit { curl_multi_cleanup(pointer) }

  func add(_ easy: borrowing EasyHandle) throws(TransportFault) {
    let code = curl_multi_add_handle(pointer, easy.pointer)
    guard code == CURLM_OK else {
      throw TransportFault(.configuration, String(cString: curl_multi_strerror(code)))
    }
  }

  func remove(_ easy: borrowing EasyHandle) {
    curl_multi_remove_handle(pointer, easy.pointer)
  }

  /// Does what can be done without waiting.
  func perform() {
    var running: Int32 = 0
    curl_multi_perform(pointer, &running)
  }

  /// The next exchange that ended, by its handle's address, and curl's number for how.
  func nextFinished() -> (easy: UInt, code: UInt32)? {
    var left: Int32 = 0
    while let message = curl_multi_info_read(pointer, &left) {
      guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle else {
        continue
      }
      return (UInt(bitPattern: easy), silo_message_result(message).rawValue)
    }
    return nil
  }

  /// Waits until a socket or `wake` is ready, or the time is over.
  func poll(wake: Int32, milliseconds: Int) {
    var extra = curl_waitfd(fd: wake, events: Int16(CURL_WAIT_POLLIN), revents: 0)
    curl_multi_poll(pointer, &extra, 1, Int32(clamping: milliseconds), nil)
  }
}
