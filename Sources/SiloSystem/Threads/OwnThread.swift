import CLinux
import Glibc
import Synchronization

/// Starts a detached thread of the operating system that runs `body` once.
///
/// - Parameter name: At most 15 bytes are kept, as `pthread_setname_np` has it.
/// - Throws: `SystemCallError` when no thread can be made.
package func startThread(named name: String, _ body: @escaping @Sendable () -> Void) throws {
  guard Libcrypto.isReady else { throw SystemCallError(call: "OPENSSL_init_crypto", errno: ENOMEM) }
  let start = Unmanaged.passRetained(ThreadStart(name: name, body: body))
  var thread = pthread_t()
  let code = pthread_create(
    &thread, nil,
    { context in
      guard let context else { return nil }
      let start = Unmanaged<ThreadStart>.fromOpaque(context).takeRetainedValue()
      silo_name_thread(String(decoding: start.name.utf8.prefix(15), as: UTF8.self))
      start.body()
      Libcrypto.endThread()
      return nil
    }, start.toOpaque())
  if code != 0 {
    start.release()
    throw SystemCallError(call: "pthread_create", errno: code)
  }
  pthread_detach(thread)
}

/// What a new thread is given through its one pointer.
private final class ThreadStart: Sendable {
  let name: String
  let body: @Sendable () -> Void

  init(name: String, body: @escaping @Sendable () -> Void) {
    self.name = name
    self.body = body
  }
}

/// Tells blocking work on its own thread that the task that waits for it was cancelled.
package final class CancellationFlag: Sendable {
  private let flag = Atomic(false)

  /// A flag that is not raised.
  package init() {}

  /// Whether the work should end.
  package var isCancelled: Bool { flag.load(ordering: .relaxed) }

  /// Raises the flag; for ever.
  package func cancel() { flag.store(true, ordering: .relaxed) }

  /// Throws `CancellationError` once the flag is raised.
  package func check() throws {
    if isCancelled { throw CancellationError() }
  }
}

/// Runs blocking work on a thread of its own and waits for it without occupying the shared pool.
///
/// Cancelling the task raises the flag that the work was given; the work decides when it ends. What the work held is let go
/// before the caller goes on, so that a file which was open for it is closed then.
package func onOwnThread<Result: Sendable>(
  named name: String = "blocking",
  _ work: @escaping @Sendable (CancellationFlag) throws -> Result
) async throws -> Result {
  let flag = CancellationFlag()
  return try await withTaskCancellationHandler {
    try await withCheckedThrowingContinuation { continuation in
      let task = OneTask(work)
      do {
        try startThread(named: name) {
          let result = Swift.Result { try task.perform(flag) }
          continuation.resume(with: result)
        }
      } catch {
        continuation.resume(throwing: error)
      }
    }
  } onCancel: {
    flag.cancel()
  }
}

/// Work that is done once, and held no longer than that.
private final class OneTask<Result: Sendable>: Sendable {
  typealias Work = @Sendable (CancellationFlag) throws -> Result
  private let work: Mutex<Work?>

  init(_ work: @escaping Work) { self.work = Mutex(work) }

  func perform(_ flag: CancellationFlag) throws -> Result {
    guard let work = self.work.withLock({ exchange(&$0, with: nil) }) else {
      throw CancellationError()
    }
    return try work(flag)
  }
}
