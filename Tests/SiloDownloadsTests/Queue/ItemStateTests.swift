import Testing

@testable import SiloDownloads

@Suite("States of an item")
struct ItemStateTests {
  /// Every move from every state: a row for each move, a word for each state in the order of `allCases`; `-` is not legal.
  static let table: [(move: ItemMove, after: String)] = [
    // waiting preparing transferring verifying packaging paused finished failed cancelled
    (.start, "preparing - - - - - - - -"),
    (.startNow, "preparing - - - - preparing - - -"),
    (.advance, "- preparing transferring verifying packaging - - - -"),
    (.finish, "- finished finished finished finished - - - -"),
    (.fail, "- failed failed failed failed - - - -"),
    (.postpone, "- waiting waiting waiting waiting - - - -"),
    (.pause, "paused paused paused paused paused - - - -"),
    (.resume, "- - - - - waiting - - -"),
    (.cancel, "cancelled cancelled cancelled cancelled cancelled cancelled - cancelled -"),
    (.retry, "- - - - - - - waiting waiting"),
    (.takeUp, "- - - - - - - waiting -"),
    (.addAgain, "- - - - - - waiting waiting waiting"),
  ]

  @Test("what may happen in which state is one table")
  func moves() {
    #expect(Self.table.map(\.move) == ItemMove.allCases)
    for row in Self.table {
      let words = ItemState.allCases.map { row.move.state(after: $0)?.rawValue ?? "-" }
      #expect(words.joined(separator: " ") == row.after, "\(row.move)")
    }
  }

  static let failures: [(DownloadError.Code, FailureClass)] = [
    (.temporary, .temporary), (.locked, .blocked), (.space, .blocked),
    (.interrupted, .interrupted), (.usage, .permanent), (.notFound, .permanent),
    (.auth, .permanent), (.config, .permanent), (.integrity, .permanent),
    (.unavailable, .permanent), (.unsupported, .permanent),
  ]

  @Test(
    "a failure is retried by itself, by the next run, or by the user only; an outage may be over by the next run"
  )
  func classes() {
    for (code, kind) in Self.failures { #expect(FailureClass(code) == kind, "\(code)") }
    let verdicts = (1...6).map { RetryPlan.verdict(.temporary, count: $0) }
    let pauses = [2, 4, 8, 16].map { RetryPlan.Verdict.again(after: .seconds($0)) }
    #expect(verdicts == pauses + [.failed, .failed])
    #expect(RetryPlan.verdict(.blocked, count: 99) == .nextRun)
    #expect(RetryPlan.verdict(.interrupted, count: 99) == .nextRun)
    #expect(RetryPlan.verdict(.permanent, count: 1) == .failed)
    for (code, kind) in Self.failures {
      let failure = QueueFailure(code, "why", isWorthRetrying: true)
      #expect(
        RetryPlan.isTakenUp(failure, ofServer: false) == (kind == .temporary), "\(code)")
      // Somebody else may be signed in by then.
      let isOfServer = kind == .temporary || code == .auth
      #expect(RetryPlan.isTakenUp(failure, ofServer: true) == isOfServer, "\(code)")
    }
    let forGood = QueueFailure(.temporary, "for good", isWorthRetrying: false)
    #expect(!RetryPlan.isTakenUp(forGood, ofServer: true))
    #expect(RetryPlan.pause(after: 1000) == .seconds(300))
    #expect(RetryPlan.pause(after: 0) == .seconds(2))
  }

  /// `id host target moment`, `-` where nothing is known.
  private static func entries(_ text: String) -> [QueueOrder.Entry] {
    text.split(separator: ",").map { row in
      let words = row.split(separator: " ").map { $0 == "-" ? nil : String($0) }
      return QueueOrder.Entry(
        id: Int64(words[0] ?? "") ?? 0, host: words[1], target: words[2],
        notBefore: words[3].flatMap { Int64($0) })
    }
  }

  static let orders: [(waiting: String, running: String, limit: Int, answer: QueueOrder.Answer)] = [
    ("", "", 2, .done), ("", "1 a - -", 2, .wait(until: nil)),
    ("1 a - -,2 b - -", "", 2, .start(1)),
    // The limit, and a limit that nobody could mean.
    ("2 a - -", "1 a - -", 1, .wait(until: nil)), ("1 a - -", "", 0, .start(1)),
    // Fairness: the host with less to do, local sources count as idle, then the older one.
    ("2 a - -,3 b - -", "1 a - -", 2, .start(3)), ("2 a - -,3 a - -", "1 a - -", 2, .start(2)),
    ("3 a - -,4 - - -", "1 a - -", 2, .start(4)),
    ("4 b - -,3 a - -", "1 a - -,2 b - -", 3, .start(3)),
    // One file is made once at a time.
    ("2 a /f -,3 a /g -", "1 a /f -", 3, .start(3)),
    ("2 a /f -", "1 b /f -", 3, .wait(until: nil)),
    // A pause is kept, and does not hold up the others.
    ("1 a - 2000,2 a - -", "", 2, .start(2)), ("1 a - 2000,2 a - 1500", "", 2, .wait(until: 1500)),
    ("1 a - 1000", "", 2, .start(1)), ("1 a - 301001", "", 2, .start(1)),
    ("1 a - 2000", "2 a - -", 2, .wait(until: 2000)),
  ]

  @Test(
    "the next item is the oldest of the least busy host that may start", arguments: 0..<orders.count
  )
  func order(index: Int) {
    let row = Self.orders[index]
    let answer = QueueOrder(limit: row.limit).next(
      waiting: Self.entries(row.waiting), running: Self.entries(row.running), now: 1000)
    #expect(answer == row.answer)
  }
}
