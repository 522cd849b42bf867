import CMicroHTTPD
import Dispatch
import Synchronization

/// One request on its way to an answer.
final class Exchange: Sendable {
  let request: ServerRequest
  let answer = Mutex<ServerResponse?>(nil)

  init(_ request: ServerRequest) { self.request = request }
}

/// Takes requests from the daemon's threads, has them answered elsewhere, and hands the answers back.
final class Exchanges: Sendable {
  private let answer: @Sendable (ServerRequest) async -> ServerResponse
  private let log: (@Sendable (RequestRecord) -> Void)?
  private let isClosing = Mutex(false)
  /// Holds every suspended connection.
  private let suspended = DispatchGroup()

  init(
    answer: @escaping @Sendable (ServerRequest) async -> ServerResponse,
    log: (@Sendable (RequestRecord) -> Void)?
  ) {
    self.answer = answer
    self.log = log
  }

  /// Waits, on the calling thread, until no connection is suspended; later requests are refused.
  func closeAndDrain() {
    isClosing.withLock { $0 = true }
    suspended.wait()
  }

  /// The daemon's callback: called first with the header of a request, and again after it was resumed.
  func proceed(
    on connection: OpaquePointer, url: UnsafePointer<CChar>?, method: UnsafePointer<CChar>?,
    uploadSize: UnsafeMutablePointer<Int>?, context: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  ) -> MHD_Result {
    if let raw = context.pointee {
      let exchange = Unmanaged<Exchange>.fromOpaque(raw).takeUnretainedValue()
      if let uploadSize, uploadSize.pointee > 0 {
        // A body that came with a GET has no meaning; it is read and forgotten.
        uploadSize.pointee = 0
        return .YES
      }
      let response = exchange.answer.withLock { $0 }
      return send(response ?? Self.closing, for: exchange.request, on: connection)
    }
    guard let url, let method else { return .NO }
    let request = ServerRequest(
      method: String(cString: method), path: String(cString: url),
      headers: Self.headers(of: connection))
    guard request.method == "GET" || request.method == "HEAD" else {
      return send(Self.wrongMethod, for: request, on: connection)
    }
    let exchange = Exchange(request)
    let isOpen = isClosing.withLock { isClosing in
      // Inside the lock: nobody enters once closing has begun to wait.
      if !isClosing { suspended.enter() }
      return !isClosing
    }
    guard isOpen else { return send(Self.closing, for: request, on: connection) }
    context.pointee = Unmanaged.passRetained(exchange).toOpaque()
    MHD_suspend_connection(connection)
    work(on: exchange, connection: UInt(bitPattern: connection))
    return .YES
  }

  /// Finds the answer and wakes the connection; the pointer travels as a number, because only the daemon uses it.
  private func work(on exchange: Exchange, connection: UInt) {
    Task {
      let response = await self.answer(exchange.request)
      exchange.answer.withLock { $0 = response }
      if let connection = OpaquePointer(bitPattern: connection) {
        MHD_resume_connection(connection)
      }
      self.suspended.leave()
    }
  }

  private func send(
    _ response: ServerResponse, for request: ServerRequest, on connection: OpaquePointer
  ) -> MHD_Result {
    guard let reply = Reply.make(response) else { return .NO }
    defer { MHD_destroy_response(reply) }
    log?(
      RequestRecord(
        method: request.method, path: request.path, range: request["Range"],
        status: response.status,
        byteCount: request.method == "HEAD" ? 0 : response.body.byteCount))
    return MHD_queue_response(connection, UInt32(response.status), reply)
  }

  private static func headers(of connection: OpaquePointer) -> [HeaderField] {
    var fields: [HeaderField] = []
    withUnsafeMutablePointer(to: &fields) { pointer in
      _ = MHD_get_connection_values(
        connection, .HEADER_KIND,
        { cls, _, name, value in
          guard let cls, let name else { return .YES }
          let field = HeaderField(
            String(cString: name), value.map { String(cString: $0) } ?? "")
          cls.assumingMemoryBound(to: [HeaderField].self).pointee.append(field)
          return .YES
        }, pointer)
    }
    return fields
  }

  private static let closing = ServerResponse.failure(
    503, "unavailable", "The server is stopping.")

  private static let wrongMethod = ServerResponse.failure(
    405, "method_not_allowed", "Only GET and HEAD are answered here.",
    headers: [HeaderField("Allow", "GET, HEAD")])
}
