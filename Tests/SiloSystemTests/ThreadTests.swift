import Dispatch
import Glibc
import SiloSystem
import Synchronization
import Testing

@Suite("Threads", .timeLimit(.minutes(5)))
struct ThreadTests {
  /// An actor that blocks, on a thread of its own.
  actor Blocking {
    private let executor: BlockingExecutor
    private(set) var threads: Set<UInt> = []
    private(set) var count = 0

    init() throws { executor = try BlockingExecutor(named: "blocking") }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func work() {
      assertIsolated()
      threads.insert(UInt(pthread_self()))
      count += 1
    }
  }

  @Test("all work of an actor runs on its one thread, in turn")
  func executor() async throws {
    let actor = try Blocking()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<500 { group.addTask { await actor.work() } }
    }
    #expect(await actor.count == 500)
    #expect(await actor.threads.count == 1)
    #expect(await !actor.threads.contains(UInt(pthread_self())))
  }

  @Test("actors come and go, and their threads with them")
  func lifetimes() async throws {
    for _ in 0..<50 {
      let actor = try Blocking()
      await actor.work()
    }
  }

  @Test("a turn between jobs is taken, and a job that arrives meanwhile wakes it")
  func turns() async throws {
    let executor = try BlockingExecutor(named: "turns")
    let counted = Counter()
    executor.betweenJobs { wake in
      counted.add()
      var entry = pollfd(fd: wake, events: Int16(POLLIN), revents: 0)
      _ = poll(&entry, 1, 10_000)
      return true
    }
    let actor = Guest(executor)
    for _ in 0..<100 { await actor.visit() }
    #expect(await actor.visits == 100)
    #expect(counted.value > 0)
  }

  actor Guest {
    private let executor: BlockingExecutor
    private(set) var visits = 0
    init(_ executor: BlockingExecutor) { self.executor = executor }
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    func visit() { visits += 1 }
  }

  final class Counter: Sendable {
    private let count = Mutex(0)
    var value: Int { count.withLock { $0 } }
    func add() { count.withLock { $0 += 1 } }
  }

  @Test("what blocking work held is gone when its caller goes on")
  func held() async throws {
    final class Held: Sendable {
      let ended: Counter
      init(_ ended: Counter) { self.ended = ended }
      deinit { ended.add() }
      func use() {}
    }
    func work(_ ended: Counter) async throws {
      try await onOwnThread { [held = Held(ended)] _ in held.use() }
    }
    for _ in 0..<2000 {
      let ended = Counter()
      try await work(ended)
      #expect(ended.value == 1)
    }
  }

  @Test("blocking work returns its value or its error from a thread of its own")
  func ownThread() async throws {
    struct Failed: Error {}
    let here = UInt(pthread_self())
    #expect(try await onOwnThread { _ in UInt(pthread_self()) } != here)
    await #expect(throws: Failed.self) { try await onOwnThread { _ in throw Failed() } }
  }

  @Test("cancelling the task raises the flag of its blocking work")
  func cancellation() async throws {
    let begun = AsyncStream<Void>.makeStream()
    let cancelled = DispatchSemaphore(value: 0)
    let task = Task {
      try await onOwnThread { flag in
        begun.continuation.yield()
        cancelled.wait()
        try flag.check()
      }
    }
    for await _ in begun.stream { break }
    task.cancel()
    cancelled.signal()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
