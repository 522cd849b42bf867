import SiloSystem
import Synchronization

/// What the connections of one transfer share: the map of the file, its version, and how many they may be.
final class TransferDesk: Sendable {
  /// What is there, or what comes, is of no use: everything is asked for again.
  struct StartOver: Error {
    var reason: String
    /// Whether the source is another than it was; otherwise only its server is strange.
    var isChange = true
  }

  /// A connection has brought what it was to bring.
  struct Enough: Error {}

  /// An answer to one more connection is of no use.
  struct Declined: Error {}

  /// One connection, by the claim that it serves.
  struct Lane {
    var isLead = false
    /// Whether the connection brought another piece before.
    var isProven = false
    var started: Duration
    var last: Duration
    var byteCount: Int64 = 0
    /// Where its answer ends; `nil` before it began, or when it does not say.
    var answerEnd: Int64?
  }

  struct State {
    var map: PieceMap
    var validators: HTTPValidators
    var generation = 0
    var head: HTTPResponseHead?
    var lanes: [Int: Lane] = [:]
    var rule: ConnectionRule
    var rate = RateWindow()
    /// The bytes of all bodies, useful or not.
    var received: Int64 = 0
    /// Whether what was there is of the version that comes: nothing is whole before.
    var isProven = false
    var isShareable = false
    /// The bytes that had come when nobody was answered; no connection is added before there are more.
    var heldAt: Int64?
    var holds = 0
    /// Whether every answer tells another version: nothing is continued then.
    var isFickle = false
    /// The version that was thrown away last.
    var dropped: HTTPValidators?
    /// Whether the version that was thrown away came again: what contradicted it was a strange answer, and no more are asked for.
    var isAlone = false
    var changes = 0
    var unmarked: Int64 = 0
    var furthest: Int64
    var followed: Int64 = 0
    var digests: Set<Digest.Algorithm> = [.sha256]
  }

  /// What a transfer is told about, and tells.
  struct Wishes: Sendable {
    var expectsMedia = true
    var expectedByteCount: Int64?
    var pace = TransferPace()
    /// Which digests are wanted beside SHA-256, by the head of the first answer.
    var digests: @Sendable (HTTPResponseHead) -> Set<Digest.Algorithm> = { _ in [] }
    var needsMark: @Sendable () -> Void = {}
    var report: @Sendable (Int64, Int64?) -> Void = { _, _ in }
  }

  /// How many bytes lie between two marks.
  static let markByteCount: Int64 = 4 << 20
  /// How often the source may change during one transfer.
  static let changeLimit = 3

  let part: PartFile
  let request: HTTPRequest
  let wishes: Wishes
  let now: @Sendable () -> Duration
  let state: Mutex<State>
  private let front = WrittenFront()
  private let follower: DigestFollower

  /// - Parameters:
  ///   - pieces: What is there already.
  ///   - validators: What told the version that it is of.
  ///   - most: The most connections.
  ///   - rateLimit: Bytes a second that the user allows.
  init(
    part: PartFile, request: HTTPRequest, pieces: ByteRanges, validators: HTTPValidators,
    most: Int, rateLimit: Int64? = nil, wishes: Wishes, now: @escaping @Sendable () -> Duration
  ) throws {
    self.part = part
    self.request = request
    self.wishes = wishes
    self.now = now
    follower = try DigestFollower(part, front)
    state = Mutex(
      State(
        map: PieceMap(total: validators.totalByteCount, written: pieces), validators: validators,
        rule: ConnectionRule(most: most, window: wishes.pace.window, rateLimit: rateLimit),
        furthest: pieces.byteCount))
  }

  deinit { follower.stop() }

  /// What is written, and of which version of this run.
  var written: (pieces: ByteRanges, generation: Int) {
    state.withLock { ($0.map.written, $0.generation) }
  }

  var received: Int64 { state.withLock { $0.received } }
  var total: Int64? { state.withLock { $0.map.total } }
  /// Whether all is there, and of one version.
  var isComplete: Bool { state.withLock { $0.isProven && $0.map.isComplete } }
  /// Whether all is there, and somebody still waits for bytes that others brought.
  ///
  /// Whoever has brought everything ends by itself, and keeps its connection.
  var isOver: Bool {
    state.withLock { state in
      state.isProven && state.map.isComplete
        && state.lanes.keys.contains { !state.map.isDone($0) }
    }
  }
  var head: HTTPResponseHead? { state.withLock { $0.head } }

  /// Waits for the digests of the whole file.
  func finishDigests() async throws -> [Digest.Algorithm: String] {
    let digests = state.withLock { state in
      follow(&state)
      return state.digests
    }
    return try await follower.finish(digests)
  }

  /// Takes what is there as the whole: the answer without a length has ended.
  func endHere() {
    state.withLock { $0.map.learn(total: $0.map.written.front) }
  }

  /// No connection is left.
  func clear() {
    state.withLock {
      $0.map.releaseAll()
      $0.lanes = [:]
    }
  }

  /// Throws everything away.
  ///
  /// - Throws: `DownloadError.integrity` when the source changed too often.
  func startOver(_ error: StartOver) throws {
    try state.withLock { state in
      if error.isChange { try countChange(&state, error.reason) }
      state.dropped = state.validators
      try restart(&state, .init(entityTag: nil, lastModified: nil, totalByteCount: nil))
    }
  }

  func countChange(_ state: inout State, _ reason: String) throws {
    state.changes += 1
    guard state.changes <= Self.changeLimit else {
      throw DownloadError(
        .integrity, "\(reason) That happened \(state.changes) times during this download.",
        subject: Redaction.text(of: request.url))
    }
  }

  func restart(_ state: inout State, _ validators: HTTPValidators) throws {
    // Whoever reads behind the front sees first that this version is none any more, and then a shorter file.
    front.value = (0, -1)
    do {
      state.generation = try part.startOver(validators)
    } catch let error as SystemCallError {
      throw DownloadError(writing: error)
    }
    state.validators = validators
    state.map.startOver(total: validators.totalByteCount)
    (state.unmarked, state.followed, state.isShareable, state.isProven) = (0, 0, false, false)
    state.lanes = [:]
    front.value = (0, state.generation)
  }

  /// Tells the digests how far they may read.
  func follow(_ state: inout State) {
    state.followed = state.map.written.front
    front.value = (state.followed, state.generation)
    follower.advance(state.digests)
  }
}
