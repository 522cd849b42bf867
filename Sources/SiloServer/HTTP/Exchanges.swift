import CMicroHTTPD
import Dispatch
import Synchronization

/// One request on its way to an answer.
final class Exchange: Sendable {
  /// The longest body that is kept.
  static let bodyLimit = 64 * 1024
  /// The longest body that is read, and forgotten, before the connection is closed.
  static let uploadLimit = 128 << 20

  let request: ServerRequest
  let answer = Mutex<ServerResponse?>(nil)
  private let upload: Mutex<Upload>

  private struct Upload {
    /// Whether the request is being worked on already.
    var isOver = false
    var bytes: [UInt8] = []
    var byteCount = 0
    var isTooLong: Bool { byteCount > Exchange.bodyLimit }
  }

  init(_ request: ServerRequest) {
    self.request = request
    upload = Mutex(Upload())
  }

  /// Takes a piece of the body; false when nobody should go on reading.
  ///
  /// What is too much is read and forgotten for a while, so that a client which sends before it listens hears the answer.
  func take(_ piece: UnsafeRawBufferPointer) -> Bool {
    upload.withLock { upload in
      upload.byteCount += piece.count
      if upload.isOver || upload.isTooLong {
        upload.bytes = []
      } else {
        upload.bytes.append(contentsOf: piece)
      }
      return upload.byteCount <= Self.uploadLimit
    }
  }

  /// Ends the body; the request with it, or `nil` when it had ended before.
  func endBody() -> ServerRequest? {
    upload.withLock { upload in
      guard !upload.isOver else { return nil }
      var request = request
      (request.body, request.isBodyTooLong) = (upload.bytes, upload.isTooLong)
      upload = Upload(isOver: true)
      return request
    }
  }
}

/// Takes requests from the daemon's threads, has them answered elsewhere, and hands the answers back.
final class Exchanges: Sendable {
  /// The longest header that is taken, its address among it.
  static let headerLimit = 32 * 1024

  private let answer: @Sendable (ServerRequest) async -> ServerResponse
  private let log: (@Sendable (RequestRecord) -> Void)?
  private let pacer: Pacer?
  private let blocks = BlockBudget()
  /// Until when a connection must have sent its request.
  let deadlines = RequestDeadlines()
  private let isClosing = Mutex(false)
  /// What new connections show; `nil` for what the daemon was started with.
  private let certificate = Mutex<RenewedCertificate?>(nil)
  /// Holds every suspended connection.
  private let suspended = DispatchGroup()

  init(
    bandwidth: BandwidthLimits = BandwidthLimits(),
    answer: @escaping @Sendable (ServerRequest) async -> ServerResponse,
    log: (@Sendable (RequestRecord) -> Void)?
  ) {
    pacer = bandwidth.areNone ? nil : Pacer(bandwidth)
    self.answer = answer
    self.log = log
  }

  /// Waits, on the calling thread, until no connection is suspended; later requests are refused.
  func closeAndDrain() {
    isClosing.withLock { $0 = true }
    pacer?.close()
    suspended.wait()
  }

  /// The daemon's callback: called first with the header of a request, and again after it was resumed.
  func proceed(
    on connection: OpaquePointer, url: UnsafePointer<CChar>?, method word: UnsafePointer<CChar>?,
    upload: UnsafePointer<CChar>?, uploadSize: UnsafeMutablePointer<Int>?,
    context: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  ) -> MHD_Result {
    if let raw = context.pointee {
      let exchange = Unmanaged<Exchange>.fromOpaque(raw).takeUnretainedValue()
      if let uploadSize, uploadSize.pointee > 0 {
        // A body that came with a GET has no meaning; it is read and forgotten.
        let piece = UnsafeRawBufferPointer(start: upload, count: uploadSize.pointee)
        uploadSize.pointee = 0
        return exchange.take(piece) ? .YES : .NO
      }
      if let request = exchange.endBody() {
        return begin(exchange, request, on: connection)
          ? .YES : send(Self.closing, for: request, on: connection)
      }
      let response = exchange.answer.withLock { $0 }
      return send(response ?? Self.closing, for: exchange.request, on: connection)
    }
    guard let url, let word else { return .NO }
    let method = String(cString: word)
    let request = ServerRequest(
      method: method, path: String(cString: url),
      headers: Self.values(.HEADER_KIND, of: connection),
      query: Self.values(.GET_ARGUMENT_KIND, of: connection).map(Self.decoded))
    if let refusal = Self.refusal(ofHeader: request) {
      return send(refusal, for: request, on: connection)
    }
    // Begun when the daemon calls again with nothing more to read: an answer before that would end the connection.
    context.pointee = Unmanaged.passRetained(Exchange(request)).toOpaque()
    return .YES
  }

  /// Shows another certificate on connections from now on.
  func renew(_ certificate: RenewedCertificate) {
    self.certificate.withLock { $0 = certificate }
  }

  /// A connection was opened, or is about to be closed.
  func note(_ happening: MHD_ConnectionNotificationCode, on connection: OpaquePointer) {
    switch happening {
    case .CONNECTION_NOTIFY_STARTED:
      let certificate = certificate.withLock { $0 }
      certificate?.use(on: connection)
      deadlines.open(connection, socket: silo_mhd_socket(connection), certificate)
    default: deadlines.close(connection)
    }
  }

  /// Why a request is refused before its body is read.
  private static func refusal(ofHeader request: ServerRequest) -> ServerResponse? {
    let address = request.path.utf8.count + byteCount(request.query)
    guard address <= headerLimit else { return addressTooLong }
    guard address + byteCount(request.headers) <= headerLimit else { return headerTooLong }
    guard methods.contains(request.method) else { return wrongMethod }
    let lengths = Set(request.values("Content-Length"))
    let codings = request.values("Transfer-Encoding")
    // What one reads as the end of the body, another may read as the start of a request.
    guard lengths.count + codings.count <= 1, codings.allSatisfy({ $0.lowercased() == "chunked" })
    else {
      return .failure(400, "bad_request", "The length of the body is not clear", headers: ends)
    }
    guard let length = lengths.first.flatMap({ Int64($0) }) else { return nil }
    // One that does not ask first would not hear the answer while it sends, so its body is read when that has an end.
    let asksFirst = request["Expect"]?.lowercased() == "100-continue"
    return length > Exchange.uploadLimit || length > Exchange.bodyLimit && asksFirst ? tooLong : nil
  }

  /// Suspends the connection until the answer is there; false when the server is stopping.
  private func begin(
    _ exchange: Exchange, _ request: ServerRequest, on connection: OpaquePointer
  ) -> Bool {
    let isOpen = isClosing.withLock { isClosing in
      // Inside the lock: nobody enters once closing has begun to wait.
      if !isClosing { suspended.enter() }
      return !isClosing
    }
    guard isOpen else { return false }
    deadlines.meet(connection)
    MHD_suspend_connection(connection)
    work(on: exchange, request, connection: UInt(bitPattern: connection))
    return true
  }

  /// Finds the answer and wakes the connection; the pointer travels as a number, because only the daemon uses it.
  private func work(on exchange: Exchange, _ request: ServerRequest, connection: UInt) {
    Task {
      let response = await self.answer(request)
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
    let transfer = Transfer(
      response.body, pace: pace(of: response, on: connection),
      block: blocks.take(for: response.body.byteCount))
    guard let reply = Reply.make(response, transfer) else { return .NO }
    defer { MHD_destroy_response(reply) }
    log?(
      RequestRecord(
        method: request.method, path: request.path, range: request["Range"],
        status: response.status,
        byteCount: request.method == "HEAD" ? 0 : response.body.byteCount))
    return MHD_queue_response(connection, UInt32(response.status), reply)
  }

  /// How fast a body is sent; `nil` for as fast as the client takes it.
  ///
  /// What is short is not worth a wait.
  private func pace(of response: ServerResponse, on connection: OpaquePointer) -> TransferPace? {
    guard let pacer, response.body.byteCount > 16 * 1024 else { return nil }
    let (number, suspended) = (UInt(bitPattern: connection), suspended)
    return TransferPace(pacer, user: response.user) {
      suspended.enter()
      if let connection = OpaquePointer(bitPattern: number) { MHD_suspend_connection(connection) }
    } resume: {
      if let connection = OpaquePointer(bitPattern: number) { MHD_resume_connection(connection) }
      suspended.leave()
    }
  }

  private static func values(_ kind: MHD_ValueKind, of connection: OpaquePointer) -> [HeaderField] {
    var fields: [HeaderField] = []
    withUnsafeMutablePointer(to: &fields) { pointer in
      _ = MHD_get_connection_values(
        connection, kind,
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

  /// A field of a query as it was meant; one that cannot be read is taken as it is.
  private static func decoded(_ field: HeaderField) -> HeaderField {
    func text(_ text: String) -> String {
      RequestPath.decoded(text.replacing("+", with: " ")) ?? text
    }
    return HeaderField(text(field.name), text(field.value))
  }

  private static func byteCount(_ fields: [HeaderField]) -> Int {
    // Two bytes for what stands between and behind.
    fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 2 }
  }

  private static let headerTooLong = ServerResponse.failure(
    431, "bad_request", "The header of this request is too long", headers: ends)
  private static let addressTooLong = ServerResponse.failure(
    414, "bad_request", "This address is too long", headers: ends)
  private static let tooLong = ServerResponse.failure(
    413, "bad_request", "The body of this request is too long", headers: ends)
  private static let ends = [HeaderField("Connection", "close")]

  private static let methods: Set = ["GET", "HEAD", "POST", "PATCH", "DELETE"]

  private static let wrongMethod = ServerResponse.wrongMethod(allowed: ["GET"])
}
