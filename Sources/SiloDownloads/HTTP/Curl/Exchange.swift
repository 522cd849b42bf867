import CCurl
import SiloSystem

import struct Foundation.URL

/// One request and its response on the wire: what curl's callbacks reach, and what becomes of it.
///
/// Lives on the client's thread only, and is used again for the next request: the handle keeps its buffer and its TLS
/// sessions.
final class Exchange {
  /// How an exchange ended.
  struct Outcome: Sendable {
    /// The head, when it arrived whole.
    var head: HTTPResponseHead?
    /// Why the response did not arrive whole; `nil` when it did.
    var fault: TransportFault?
    /// What the sink threw.
    var refusal: (any Error)?
    /// The body bytes that went to the sink.
    var byteCount: Int64
    /// The absolute target of a redirect.
    var redirectURL: String?
    /// What the server said beside a status that is no success, if it was short.
    var said: [UInt8] = []
  }

  /// A body that nobody wants is read so far, to keep the connection, and no further.
  static let unwantedByteCount: Int64 = 64 << 10
  /// As much of it is kept for whoever knows what it means.
  static let saidByteCount: Int64 = 16 << 10

  private(set) var easy: EasyHandle
  private let limit: RateLimit?
  private let now: @Sendable () -> Duration

  private(set) var url: URL?
  private var sink: (any HTTPBodySink)?
  private var refusesEncoding = false
  private var lines = ResponseLines()
  private var head: HTTPResponseHead?
  private var refusal: (any Error)?
  private var isEnough = false
  private var byteCount: Int64 = 0
  private var unwanted: Int64 = 0
  private var said: [UInt8] = []
  private(set) var isPaused = false
  private var pace: AnswerPace?
  /// The last sign of life; `nil` until the request is on the wire.
  private(set) var lastActivity: Duration?
  /// The number of the request that it serves now.
  var serial = 0
  /// Whoever waits for the end.
  var continuation: CheckedContinuation<Outcome, Never>?

  init(limit: RateLimit?, now: @escaping @Sendable () -> Duration) throws(TransportFault) {
    easy = try EasyHandle()
    self.limit = limit
    self.now = now
  }

  /// The address of the handle, by which curl names the exchange.
  var identity: UInt { UInt(bitPattern: easy.pointer) }

  /// Makes the exchange ready for another request.
  func prepare(_ hop: Hop, _ options: HTTPOptions, into sink: any HTTPBodySink)
    throws(TransportFault)
  {
    easy.reset()
    url = hop.url
    self.sink = sink
    refusesEncoding = hop.request.purpose == .media
    lines = ResponseLines()
    head = nil
    refusal = nil
    isEnough = false
    byteCount = 0
    unwanted = 0
    said = []
    isPaused = false
    lastActivity = nil
    pace = hop.request.isLook ? AnswerPace(window: options.stallTime) : nil
    try easy.configure(hop, options)
    setCallbacks()
  }

  /// Lets go of what the last request held.
  ///
  /// - Parameter result: curl's number for how it ended.
  func finish(result: UInt32) -> Outcome {
    sink = nil
    let code = CURLcode(rawValue: result)
    let fault: TransportFault? =
      refusal != nil || isEnough ? nil : TransportFault(code, detail: easy.detail)
    return Outcome(
      head: head, fault: fault, refusal: refusal, byteCount: byteCount,
      redirectURL: easy.redirectURL, said: said)
  }

  /// Ends an exchange that curl did not end.
  func finish(_ fault: TransportFault) -> Outcome {
    var outcome = finish(result: CURLE_OK.rawValue)
    outcome.fault = fault
    return outcome
  }

  /// Whether it is served before `other` under a rate limit: the older request first, so that something gets finished.
  ///
  /// Whoever had nothing for a second goes before all, lest its server give up.
  func goes(before other: Exchange, at now: Duration) -> Bool {
    let (starves, otherStarves) = (starves(at: now), other.starves(at: now))
    return starves == otherStarves ? serial < other.serial : starves
  }

  private func starves(at now: Duration) -> Bool {
    now - (lastActivity ?? now) >= .seconds(1)
  }

  /// Goes on after the rate limit's pause; pieces that curl held back are delivered in this call.
  ///
  /// curl itself does not end an exchange whose sink refuses one of those: it forgets the others, and would go on behind them.
  ///
  /// - Returns: curl's number for how the exchange ended; `nil` when it goes on.
  func resume() -> UInt32? {
    isPaused = false
    lastActivity = now()
    pace?.restart()
    let code = curl_easy_pause(easy.pointer, CURLPAUSE_CONT)
    return code == CURLE_OK ? nil : code.rawValue
  }

  // The exchange outlives its time in the multi handle: the client holds it until it has removed the handle.
  private func setCallbacks() {
    let context = Unmanaged.passUnretained(self).toOpaque()
    silo_easy_set_pointer(easy.pointer, CURLOPT_HEADERDATA, context)
    silo_easy_set_body_callback(easy.pointer, CURLOPT_HEADERFUNCTION) {
      bytes, size, count, context in
      guard let context, let bytes else { return 0 }
      let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
      return Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue().receive(line: line)
        ? size * count : 0
    }
    silo_easy_set_pointer(easy.pointer, CURLOPT_WRITEDATA, context)
    silo_easy_set_body_callback(easy.pointer, CURLOPT_WRITEFUNCTION) {
      bytes, size, count, context in
      guard let context, let bytes else { return 0 }
      let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
      return Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue().receive(body: piece)
    }
    silo_easy_set_pointer(easy.pointer, CURLOPT_PREREQDATA, context)
    silo_easy_set_sent_callback(easy.pointer) { context, _, _, _, _ in
      if let context {
        Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue().noteActivity()
      }
      return CURL_PREREQFUNC_OK
    }
  }

  private func noteActivity() { lastActivity = now() }

  /// Why its answer is waited for no longer, when it trickles; `nil` as long as it does not.
  func slowness(at now: Duration) -> String? {
    guard let window = pace?.window, pace?.isTooSlow(at: now) == true else { return nil }
    return "less than 1 KiB/s for \(Int(window.seconds.rounded(.up))) s"
  }

  private func receive(line: UnsafeRawBufferPointer) -> Bool {
    let wasComplete = lines.isComplete
    guard lines.take(line) else {
      refusal = DownloadError(
        .integrity, "The head of the server's answer has no end.",
        subject: url.map(Redaction.text(of:)))
      return false
    }
    // "Wait" (100, 103) is no answer, however often it is said.
    if !lines.isInformational {
      noteActivity()
      pace?.take(line.count, at: now())
    }
    if !wasComplete, lines.isComplete, let status = lines.status, let url {
      let head = HTTPResponseHead(status: status, url: url, headers: lines.headers)
      self.head = head
      return begin(head)
    }
    return true
  }

  private func begin(_ head: HTTPResponseHead) -> Bool {
    guard (200..<300).contains(head.status) else { return true }
    do {
      if refusesEncoding, head.isEncoded { throw EncodedMedia() }
      if head.announcesTooMuch { throw LengthBeyondFiles() }
      try sink?.begin(head)
      return true
    } catch {
      refusal = error
      return false
    }
  }

  /// Returns how much was taken; less ends the exchange.
  private func receive(body piece: UnsafeRawBufferPointer) -> Int {
    // What follows a piece that was refused is at no place that anybody knows.
    guard refusal == nil else { return 0 }
    guard let head, (200..<300).contains(head.status), let sink else {
      unwanted += Int64(piece.count)
      if unwanted <= Self.saidByteCount { said += piece }
      isEnough = unwanted > Self.unwantedByteCount
      return isEnough ? 0 : piece.count
    }
    guard limit?.admits(piece.count, at: now()) ?? true else {
      isPaused = true
      return silo_write_pause
    }
    noteActivity()
    pace?.take(piece.count, at: now())
    do {
      try sink.receive(piece.bytes)
      byteCount += Int64(piece.count)
      return piece.count
    } catch {
      refusal = error
      return 0
    }
  }
}

/// A body that announces more bytes than any file has.
struct LengthBeyondFiles: Error {}

/// Media that came compressed although `identity` was asked for.
struct EncodedMedia: Error {}
