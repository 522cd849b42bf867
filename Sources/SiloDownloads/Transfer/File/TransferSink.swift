import SiloSystem
import Synchronization

/// Writes a body into the partial file straight from curl's buffer, after its head was compared with what is there.
final class TransferSink: HTTPBodySink {
  /// What is there, or what comes, is of no use: everything is asked for again.
  struct StartOver: Error {
    var reason: String
  }

  private struct State: ~Copyable {
    var plan: TransferPlan
    var digest: Digest
    /// The range that the running request asked for.
    var asked: Range<Int64>?
    /// Where the next byte of the body belongs.
    var position: Int64 = 0
    var generation = 0
    var marked: Int64
    var changes = 0
    var furthest: Int64 = 0
  }

  /// How many bytes lie between two marks.
  static let markByteCount: Int64 = 4 << 20
  /// How often the source may change during one transfer.
  static let changeLimit = 3

  private let part: PartFile
  private let request: HTTPRequest
  private let expectsMedia: Bool
  private let needsMark: @Sendable () -> Void
  private let report: @Sendable (Int64, Int64?) -> Void
  private let state: Mutex<State>

  /// - Parameters:
  ///   - digest: Over what `plan` says is written.
  ///   - needsMark: Called when enough bytes are written to sync them.
  init(
    part: PartFile, request: HTTPRequest, plan: TransferPlan, digest: consuming sending Digest,
    expectsMedia: Bool, needsMark: @escaping @Sendable () -> Void,
    report: @escaping @Sendable (Int64, Int64?) -> Void
  ) {
    self.part = part
    self.request = request
    self.expectsMedia = expectsMedia
    self.needsMark = needsMark
    self.report = report
    state = Mutex(State(plan: plan, digest: digest, marked: plan.written, furthest: plan.written))
  }

  /// The request for what is missing.
  func nextRequest() -> HTTPRequest {
    state.withLock { state in
      var next = request
      next.range = state.plan.range
      next.ifRange = state.plan.ifRange
      state.asked = next.range
      return next
    }
  }

  /// What is written, and of which version of this run.
  var written: (end: Int64, total: Int64?, generation: Int) {
    state.withLock {
      ($0.plan.written, $0.plan.validators.totalByteCount, $0.generation)
    }
  }

  /// The digest of what is written, in hexadecimal digits; once.
  func finishDigest() throws -> String {
    try state.withLock { state in
      let empty = try Digest(.sha256)
      let whole = exchange(&state.digest, with: empty)
      return whole.finishHex()
    }
  }

  /// Throws everything away.
  ///
  /// - Throws: `DownloadError.integrity` when that happened too often.
  func startOver(_ reason: String) throws {
    try state.withLock { state in
      try countChange(&state, reason)
      try restart(&state, .init(entityTag: nil, lastModified: nil, totalByteCount: nil))
    }
  }

  func begin(_ head: HTTPResponseHead) throws {
    try state.withLock { state in
      switch state.plan.answer(to: head, asked: state.asked) {
      case .take(let first):
        state.position = first
        // A whole in one part, or the first answer after a start without a length.
        if state.plan.written == 0 { try restart(&state, head.validators) }
        if state.plan.validators.totalByteCount == nil {
          state.plan.validators.totalByteCount = head.totalByteCount
        }
      case .startOver:
        if state.plan.written > 0,
          let difference = state.plan.validators.difference(from: head.validators)
        {
          try countChange(&state, "The source changed: \(difference).")
        }
        try restart(&state, head.validators)
      case .askAgain(let reason): throw StartOver(reason: reason)
      case .refuse(let code, let reason):
        throw DownloadError(
          code, reason, subject: Redaction.text(of: head.url), status: head.status)
      }
    }
  }

  private func countChange(_ state: inout State, _ reason: String) throws {
    state.changes += 1
    guard state.changes <= Self.changeLimit else {
      throw DownloadError(
        .integrity, "\(reason) That happened \(state.changes) times during this download.",
        subject: Redaction.text(of: request.url))
    }
  }

  /// The journal forgets first: a crash must never find it speaking of bytes that are overwritten.
  private func restart(_ state: inout State, _ validators: HTTPValidators) throws {
    try part.journal.withLock { journal in
      try journal.startOver(validators)
      state.generation = journal.generation
    }
    state.plan = TransferPlan(written: 0, validators: validators)
    (state.position, state.marked) = (0, 0)
    state.digest = try Digest(.sha256)
    do {
      try part.descriptor.truncate(to: 0)
      if let total = validators.totalByteCount {
        try part.descriptor.reserve(0..<total, growing: false)
      }
    } catch let error as SystemCallError {
      throw DownloadError(writing: error)
    }
  }

  func receive(_ bytes: RawSpan) throws {
    let progress = try state.withLock { state -> (Int64, Int64?)? in
      let overlap = Int(min(max(0, state.plan.written - state.position), Int64(bytes.byteCount)))
      if overlap > 0 { try compare(bytes.extracting(first: overlap), &state) }
      if overlap < bytes.byteCount { try append(bytes.extracting(droppingFirst: overlap), &state) }
      guard state.plan.written > state.furthest + 256 << 10 else { return nil }
      state.furthest = state.plan.written
      return (state.furthest, state.plan.validators.totalByteCount)
    }
    if let progress { report(progress.0, progress.1) }
  }

  private func compare(_ bytes: RawSpan, _ state: inout State) throws {
    let stored = try part.descriptor.read(at: state.position, count: bytes.byteCount)
    let isEqual = bytes.withUnsafeBytes { $0.elementsEqual(stored) }
    guard isEqual else { throw StartOver(reason: "The source changed: its bytes are others.") }
    state.position += Int64(bytes.byteCount)
  }

  private func append(_ bytes: RawSpan, _ state: inout State) throws {
    if state.plan.written == 0, expectsMedia, let kind = MediaSniff.foreignKind(bytes) {
      throw DownloadError(
        .unsupported, "The server sent \(kind) instead of media.",
        subject: Redaction.text(of: request.url))
    }
    let (end, overflow) = state.plan.written.addingReportingOverflow(Int64(bytes.byteCount))
    guard !overflow, end <= state.plan.validators.totalByteCount ?? .max else {
      throw DownloadError(
        .integrity, "The server sends more bytes than it announced.",
        subject: Redaction.text(of: request.url))
    }
    do {
      try part.descriptor.write(bytes, at: state.plan.written)
    } catch let error as SystemCallError {
      throw DownloadError(writing: error)
    }
    state.digest.update(bytes)
    state.plan.written = end
    state.position = end
    if end - state.marked >= Self.markByteCount {
      state.marked = end
      needsMark()
    }
  }
}
