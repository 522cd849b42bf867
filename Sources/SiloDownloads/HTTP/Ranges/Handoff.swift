import Dispatch
import Synchronization

/// Hands one result from asynchronous work to a thread of its own that waits for it.
final class Handoff<Value: Sendable>: Sendable {
  private let result = Mutex<Result<Value, any Error>?>(nil)
  private let arrival = DispatchSemaphore(value: 0)

  /// Gives the result, once.
  func put(_ result: Result<Value, any Error>) {
    self.result.withLock { $0 = result }
    arrival.signal()
  }

  /// Waits for the result; blocks the thread.
  func take() throws -> Value {
    arrival.wait()
    guard let result = result.withLock({ $0 }) else { throw CancellationError() }
    return try result.get()
  }
}
