/// What the fault server answers, and how it goes wrong; start from a static one and add faults.
///
///     server.on("/film.mkv") { _, n in n == 1 ? .served.cut(after: 10_000) : .served }
package struct FaultAnswer: Sendable {
  enum Body: Sendable {
    case none
    case served
    case bytes([UInt8])
    case file(String)
  }

  enum Framing: Sendable { case length, untilClose, chunked, lie(Int64) }

  struct Faults: Sendable {
    var cut: Int64?
    var resets = false
    var stallAt: Int64?
    var stallFor: Duration = .seconds(600)
    var hold: (after: Int64, requestCount: Int)?
    var delay: Duration?
    var hints: Duration?
    var drip: (count: Int, every: Duration)?
    var ignoresRange = false
    var ignoresIfRange = false
    var rangeShift: Int64 = 0
    var totalShift: Int64 = 0
    var hasValidators = true
    var gzips = false
    var hangsUp = false
    var closes = false
  }

  var status: Int
  var body: Body
  var headers: [(name: String, value: String)] = []
  var framing = Framing.length
  var faults = Faults()

  /// The file under the served folder or the bytes served at the path, as a sound server answers: ranges, validators,
  /// If-Range.
  package static var served: FaultAnswer { FaultAnswer(status: 200, body: .served) }

  /// Bytes with status 200, or 206 when a range was asked for.
  package static func bytes(_ bytes: [UInt8]) -> FaultAnswer {
    FaultAnswer(status: 200, body: .bytes(bytes))
  }

  /// A file with status 200, or 206 when a range was asked for.
  package static func file(_ path: String) -> FaultAnswer {
    FaultAnswer(status: 200, body: .file(path))
  }

  /// A text with status 200.
  package static func text(_ text: String, type: String = "text/plain") -> FaultAnswer {
    bytes(Array(text.utf8)).header("Content-Type", type)
  }

  /// A JSON text.
  package static func json(_ text: String, status: Int = 200) -> FaultAnswer {
    var answer = FaultAnswer.text(text, type: "application/json")
    answer.status = status
    return answer
  }

  /// A status with a short text as body.
  package static func status(_ status: Int, retryAfter: String? = nil) -> FaultAnswer {
    var answer = FaultAnswer(status: status, body: .bytes(Array("status \(status)\n".utf8)))
    if let retryAfter { answer = answer.header("Retry-After", retryAfter) }
    return answer
  }

  /// A redirect to an absolute or relative place.
  package static func redirect(to place: String, status: Int = 302) -> FaultAnswer {
    FaultAnswer(status: status, body: .none).header("Location", place)
  }

  /// Closes the connection without an answer.
  package static var hangUp: FaultAnswer {
    var answer = FaultAnswer(status: 0, body: .none)
    answer.faults.hangsUp = true
    return answer
  }

  /// With a header field more, in place of the server's own of that name.
  package func header(_ name: String, _ value: String) -> FaultAnswer {
    with { $0.headers.append((name, value)) }
  }

  /// With an ETag, strong unless it starts with `W/`; quotes are added.
  package func etag(_ tag: String) -> FaultAnswer {
    header("ETag", tag.hasPrefix("W/") ? "W/\"\(tag.dropFirst(2))\"" : "\"\(tag)\"")
  }

  /// Without ETag and Last-Modified of the server's own.
  package func withoutValidators() -> FaultAnswer { with { $0.faults.hasValidators = false } }

  /// Cut after that many bytes of the body; with a reset instead of an orderly end if wanted.
  package func cut(after byteCount: Int64, reset: Bool = false) -> FaultAnswer {
    with {
      $0.faults.cut = byteCount
      $0.faults.resets = reset
    }
  }

  /// Without Content-Length: the end of the connection is the end of the body.
  package func withoutLength() -> FaultAnswer { with { $0.framing = .untilClose } }

  /// With a Content-Length that is not the body's.
  package func claiming(length: Int64) -> FaultAnswer { with { $0.framing = .lie(length) } }

  /// In chunked transfer coding.
  package func chunked() -> FaultAnswer { with { $0.framing = .chunked } }

  /// Silent after that many bytes of the body, for a time or until the server stops.
  package func stalling(after byteCount: Int64, for time: Duration = .seconds(600)) -> FaultAnswer {
    with {
      $0.faults.stallAt = byteCount
      $0.faults.stallFor = time
    }
  }

  /// Silent after that many bytes of the body, until so many requests came for its path: what a test needs to happen
  /// meanwhile has then happened, however slow the machine is.
  package func holding(after byteCount: Int64, untilRequests count: Int) -> FaultAnswer {
    with { $0.faults.hold = (byteCount, count) }
  }

  /// Late by that much, before the status line.
  package func delayed(by time: Duration) -> FaultAnswer { with { $0.faults.delay = time } }

  /// Never: instead "103 Early Hints", again and again.
  package static func hints(every time: Duration) -> FaultAnswer {
    FaultAnswer(status: 103, body: .none).with { $0.faults.hints = time }
  }

  /// A few bytes at a time.
  package func dripping(_ count: Int, every time: Duration) -> FaultAnswer {
    with { $0.faults.drip = (max(1, count), time) }
  }

  /// Answers 200 with everything although a range was asked for.
  package func ignoringRange() -> FaultAnswer { with { $0.faults.ignoresRange = true } }

  /// Answers a range although If-Range names another version.
  package func ignoringIfRange() -> FaultAnswer { with { $0.faults.ignoresIfRange = true } }

  /// Answers a range that starts that many bytes away from the one asked for.
  package func shiftingRange(by byteCount: Int64) -> FaultAnswer {
    with { $0.faults.rangeShift = byteCount }
  }

  /// Tells a total in Content-Range that is wrong by that much.
  package func shiftingTotal(by byteCount: Int64) -> FaultAnswer {
    with { $0.faults.totalShift = byteCount }
  }

  /// With Content-Encoding gzip.
  package func gzipped() -> FaultAnswer { with { $0.faults.gzips = true } }

  /// Ends the connection after the answer.
  package func closing() -> FaultAnswer { with { $0.faults.closes = true } }

  private func with(_ change: (inout FaultAnswer) -> Void) -> FaultAnswer {
    var copy = self
    change(&copy)
    return copy
  }
}
