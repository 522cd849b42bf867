import Glibc
import Synchronization

/// A thread of its own for an actor whose methods make blocking calls.
///
/// The shared pool is as wide as the machine has cores; one blocking call there stops half of a small machine. The
/// thread ends when the executor is released.
package final class BlockingExecutor: SerialExecutor {
  /// What a thread does between jobs: it may wait for something of its own, but no longer than until the descriptor
  /// that it is given becomes readable, and returns whether it had anything to wait for.
  package typealias Turn = @Sendable (_ wake: Int32) -> Bool

  private let inbox: Inbox

  /// An executor whose thread carries `name`.
  ///
  /// - Throws: `SystemCallError` when the system has no thread or descriptor left.
  package init(named name: String) throws {
    let inbox = try Inbox()
    self.inbox = inbox
    try startThread(named: name) { inbox.run() }
  }

  deinit { inbox.stop() }

  /// Sets what the thread does while no job waits.
  package func betweenJobs(_ turn: @escaping Turn) { inbox.set(turn) }

  package func enqueue(_ job: consuming ExecutorJob) {
    inbox.append(UnownedJob(job), for: self)
  }

  package func checkIsolated() {
    precondition(isIsolatingCurrentContext() == true, "not on the thread of this executor")
  }

  package func isIsolatingCurrentContext() -> Bool? { inbox.isCurrentThread }
}

/// The jobs of one executor and the thread that runs them.
private final class Inbox: Sendable {
  private struct Contents {
    // The executor is held until its job has run: the job may release the last actor that uses it.
    var jobs: [(job: UnownedJob, executor: BlockingExecutor)] = []
    var turn: BlockingExecutor.Turn?
    var isStopped = false
    /// Whether the thread may be waiting: otherwise it looks at the jobs again before it does.
    var isWaiting = false
    var isSignalled = false
    var thread: UInt?
  }

  private let contents = Mutex(Contents())
  private let event: OwnedDescriptor

  init() throws {
    event = try OwnedDescriptor.event()
  }

  var isCurrentThread: Bool {
    contents.withLock { $0.thread } == UInt(pthread_self())
  }

  func append(_ job: UnownedJob, for executor: BlockingExecutor) {
    wake { $0.jobs.append((job, executor)) }
  }

  func set(_ turn: @escaping BlockingExecutor.Turn) {
    wake { $0.turn = turn }
  }

  func stop() {
    wake {
      $0.isStopped = true
      $0.turn = nil
    }
  }

  /// Changes the contents, and makes the descriptor readable when the thread may be waiting for it.
  private func wake(_ change: (inout Contents) -> Void) {
    contents.withLock { contents in
      change(&contents)
      guard contents.isWaiting, !contents.isSignalled else { return }
      contents.isSignalled = true
      // Inside the lock: raised later, it could come after the thread had lowered it, and stay up.
      event.raise()
    }
  }

  func run() {
    contents.withLock { $0.thread = UInt(pthread_self()) }
    while true {
      let (jobs, turn, isStopped) = contents.withLock { contents in
        let jobs = contents.jobs
        contents.jobs = []
        contents.isWaiting = jobs.isEmpty
        return (jobs, contents.turn, contents.isStopped)
      }
      for entry in jobs {
        entry.job.runSynchronously(on: entry.executor.asUnownedSerialExecutor())
      }
      if !jobs.isEmpty { continue }
      if isStopped { return }
      if turn?(event.number) != true { event.waitUntilReadable() }
      let wasSignalled = contents.withLock { contents in
        contents.isWaiting = false
        defer { contents.isSignalled = false }
        return contents.isSignalled
      }
      if wasSignalled { event.drain() }
    }
  }
}
