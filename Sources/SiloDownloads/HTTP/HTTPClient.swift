import SiloSystem

/// Makes the requests of a download over HTTP/1.1 and HTTP/2, on one thread of its own.
///
/// Connections are kept and used again by all requests of one client; so are the rate limit and the credentials, which go
/// to `HTTPOptions.credentialOrigin` only. Cancelling the task of a request ends it at once.
public actor HTTPClient {
  /// How the requests are made.
  public nonisolated let options: HTTPOptions

  nonisolated let waiting: Waiting
  /// What is sent to the owner of the credentials, when it can be renewed.
  nonisolated let authorization: SharedAuthorization?
  private nonisolated let executor: BlockingExecutor?
  private var multi: MultiHandle?
  private var running: [UInt: Exchange] = [:]
  private var spare: [Exchange] = []
  private var lastSerial = 0

  /// A client with connections of its own; none is opened yet.
  public init(_ options: HTTPOptions) {
    self.init(options, waiting: .system)
  }

  /// A client with a clock and pauses of the caller's own.
  package init(_ options: HTTPOptions, waiting: Waiting) {
    self.options = options
    self.waiting = waiting
    authorization = options.renewAuthorization.map { renew in
      let first = options.userHeaders.first { $0.name.lowercased() == "authorization" }
      return SharedAuthorization(first?.value, renew: renew)
    }
    executor = try? BlockingExecutor(named: "http")
    executor?.betweenJobs { [weak self] wake in
      self?.assumeIsolated { $0.turn(wake) } ?? false
    }
  }

  /// The thread of the client; when the system had none left, every request says so from the main one.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor?.asUnownedSerialExecutor() ?? MainActor.sharedUnownedExecutor
  }

  /// Fetches a small document into memory, with retries.
  ///
  /// - Parameter limit: The most bytes, decompressed, that it may have.
  /// - Throws: `DownloadError` with the status for an answer other than 2xx; `unsupported` above the limit.
  public func fetch(_ request: HTTPRequest, limit: Int = 16 << 20) async throws -> HTTPDocument {
    let sink = DocumentSink(limit: limit, subject: Redaction.text(of: request.url))
    let head = try await stream(request, into: sink)
    return HTTPDocument(head: head, body: sink.take())
  }

  /// Sends one request and hands its body to `sink`, with retries; returns the head of the response that was complete.
  ///
  /// A body shorter than its announced length is a failed attempt. A body without announced length that ends is taken as
  /// complete: whoever knows better has to compare.
  ///
  /// - Parameter resuming: Asked before each retry for the request to send instead, usually one for the rest.
  /// - Throws: What the sink threw, unchanged; `CancellationError`; else a `DownloadError`.
  public func stream(
    _ request: HTTPRequest, into sink: any HTTPBodySink,
    resuming: (@Sendable () -> HTTPRequest)? = nil
  ) async throws -> HTTPResponseHead {
    var request = request
    var rule = RetryRule(options)
    var sawEncodedMedia = false
    var isAfresh = false
    while true {
      let attempt = try await attempt(request, into: sink, isAfresh: isAfresh)
      switch attempt.end {
      case .complete(let head): return head
      case .refused(let error): throw error
      case .failed(let failure):
        if !failure.isRetried || (failure.isEncodedMedia && sawEncodedMedia) { throw failure.error }
        sawEncodedMedia = sawEncodedMedia || failure.isEncodedMedia
        isAfresh = failure.isOnTheWay
        let verdict = rule.verdict(
          reaching: attempt.reached, retryAfter: failure.retryAfter, random: waiting.random())
        try await pause(verdict, failure, failures: rule.failures)
        if let resuming { request = resuming() }
      }
    }
  }

  private func pause(
    _ verdict: RetryRule.Verdict, _ failure: AttemptFailure, failures: Int
  ) async throws {
    let error = failure.error
    switch verdict {
    case .giveUp: throw error
    case .tooLong(let time):
      throw DownloadError(
        .temporary,
        "The server asks to wait \(Int(time.seconds)) s, longer than is waited for. Try again then.",
        subject: error.subject, status: error.status, cause: error)
    case .retry(let time):
      options.retrying?(
        HTTPRetry(
          subject: error.subject ?? "the server", reason: failure.reason, pause: time,
          attempt: failures + 1, attempts: options.attempts))
      try await waiting.sleep(time)
    }
  }
}

// MARK: - The exchanges that are on the wire

extension HTTPClient {
  /// Sends one hop and waits for its end.
  func exchange(_ hop: Hop, into sink: any HTTPBodySink) async throws -> Exchange.Outcome {
    try Task.checkCancellation()
    lastSerial += 1
    let serial = lastSerial
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // Here, not before: the exchange may end, or be cancelled, as soon as this method is suspended.
        if Task.isCancelled {
          continuation.resume(returning: Self.failed(TransportFault(.interrupted, "cancelled")))
        } else {
          start(hop, into: sink, serial, continuation)
        }
      }
    } onCancel: {
      Task { await self.cancel(serial) }
    }
    try Task.checkCancellation()
    return outcome
  }

  private func start(
    _ hop: Hop, into sink: any HTTPBodySink, _ serial: Int,
    _ continuation: CheckedContinuation<Exchange.Outcome, Never>
  ) {
    do throws(TransportFault) {
      guard executor != nil else { throw TransportFault(.configuration, "no thread is left") }
      if multi == nil { multi = try MultiHandle(connectionsPerHost: options.connectionsPerHost) }
      let exchange = try spareExchange()
      try exchange.prepare(hop, options, into: sink)
      try multi?.add(exchange.easy)
      exchange.serial = serial
      exchange.continuation = continuation
      running[exchange.identity] = exchange
    } catch {
      continuation.resume(returning: Self.failed(error))
    }
  }

  private func spareExchange() throws(TransportFault) -> Exchange {
    if let exchange = spare.popLast() { return exchange }
    return try Exchange(limit: options.rateLimit, now: waiting.now)
  }

  private static func failed(_ fault: TransportFault) -> Exchange.Outcome {
    Exchange.Outcome(fault: fault, byteCount: 0)
  }

  private func cancel(_ serial: Int) {
    guard let exchange = running.values.first(where: { $0.serial == serial }) else { return }
    end(exchange, exchange.finish(TransportFault(.interrupted, "cancelled")))
  }

  private func end(_ exchange: Exchange, _ outcome: Exchange.Outcome) {
    multi?.remove(exchange.easy)
    running[exchange.identity] = nil
    exchange.continuation?.resume(returning: outcome)
    exchange.continuation = nil
    if spare.count < options.connectionsPerHost * 2 { spare.append(exchange) }
  }

  /// What the client's thread does between jobs: drives curl, ends what ended, waits for the network or for `wake`.
  private func turn(_ wake: Int32) -> Bool {
    guard !running.isEmpty else { return false }
    multi?.perform()
    var hasEnded = false
    while let (easy, code) = multi?.nextFinished() {
      hasEnded = true
      if let exchange = running[easy] { end(exchange, exchange.finish(result: code)) }
    }
    // Whoever waited goes on first, and most likely sends the next request.
    if hasEnded { return true }
    let time = tend()
    multi?.poll(wake: wake, milliseconds: time)
    return true
  }

  /// Ends what stalled, lets go on what the rate limit held; returns the longest time to wait, in milliseconds.
  private func tend() -> Int {
    let now = waiting.now()
    var longest = Duration.seconds(1)
    for exchange in running.values.sorted(by: { $0.goes(before: $1, at: now) }) {
      if exchange.isPaused {
        let wait = options.rateLimit?.wait(at: now) ?? .zero
        if wait > .zero {
          longest = min(longest, wait)
        } else if let code = exchange.resume() {
          end(exchange, exchange.finish(result: code))
        }
      } else if let slow = exchange.slowness(at: now) {
        end(exchange, exchange.finish(TransportFault(.stalled, slow)))
      } else if let last = exchange.lastActivity {
        let left = options.stallTime - (now - last)
        if left <= .zero {
          let fault = TransportFault(
            .stalled, "no byte for \(Int(options.stallTime.seconds.rounded())) s")
          end(exchange, exchange.finish(fault))
        } else {
          longest = min(longest, left)
        }
      }
    }
    return max(0, Int((longest.seconds * 1000).rounded(.up)))
  }
}
