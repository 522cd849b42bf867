import Synchronization

/// The Authorization of one client, renewed once whenever the server refuses it, whoever is refused first.
///
/// All requests of the client share it: those that are refused while it is renewed wait for the new one.
final class SharedAuthorization: Sendable {
  /// A value of the header, and which one it is.
  struct Credential: Sendable, Hashable {
    /// The header's value; `nil` sends none.
    var value: String?
    /// 0 for the first, one more with every renewal.
    var number = 0
  }

  private struct State {
    var current: Credential
    /// Whether the server has taken the current one.
    var isProven = false
    var isRenewing = false
    /// Why there is none in place of the current one, for good.
    var failure: (any Error)?
    var waiters: [Int: CheckedContinuation<Bool, any Error>] = [:]
    var lastWaiter = 0
  }

  private let renew: @Sendable () async throws -> String
  private let state: Mutex<State>

  /// - Parameters:
  ///   - value: The first one; `nil` when there is none yet.
  ///   - renew: Makes another one in place of the last.
  init(_ value: String?, renew: @escaping @Sendable () async throws -> String) {
    self.renew = renew
    state = Mutex(State(current: Credential(value: value)))
  }

  /// The one to send now.
  var current: Credential { state.withLock { $0.current } }

  /// The server took the credential of that number.
  func prove(_ number: Int) {
    state.withLock { if $0.current.number == number { $0.isProven = true } }
  }

  /// The server refused the credential of that number: has another one made, unless there is one already.
  ///
  /// - Returns: Whether there is another one to try; false when the refused one came from a renewal and was never taken.
  /// - Throws: What the renewal threw; `CancellationError` without ending the renewal, which others may wait for.
  func replace(_ number: Int) async throws -> Bool {
    let id = state.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let (answer, begins) = state.withLock { state -> (Result<Bool, any Error>?, Bool) in
          if Task.isCancelled { return (.failure(CancellationError()), false) }
          if let answer = Self.answer(number, state) { return (answer, false) }
          state.waiters[id] = continuation
          let begins = !state.isRenewing
          state.isRenewing = true
          return (nil, begins)
        }
        if let answer { continuation.resume(with: answer) }
        if begins { Task { await makeAnother() } }
      }
    } onCancel: {
      let waiter = state.withLock { $0.waiters.removeValue(forKey: id) }
      waiter?.resume(throwing: CancellationError())
    }
  }

  /// What is known about a refusal without a renewal.
  private static func answer(_ number: Int, _ state: State) -> Result<Bool, any Error>? {
    if number < state.current.number { return .success(true) }
    if let failure = state.failure { return .failure(failure) }
    if state.current.number > 0, !state.isProven { return .success(false) }
    return nil
  }

  @concurrent
  private func makeAnother() async {
    let result: Result<String, any Error>
    do {
      result = .success(try await renew())
    } catch {
      result = .failure(Self.domain(error))
    }
    let waiters = state.withLock { state in
      state.isRenewing = false
      switch result {
      case .success(let value):
        state.current = Credential(value: value, number: state.current.number + 1)
        state.isProven = false
      case .failure(let error):
        // What may pass is tried again with the next refusal.
        if let error = error as? DownloadError, !error.isWorthRetrying { state.failure = error }
      }
      defer { state.waiters = [:] }
      return state.waiters.values
    }
    for waiter in waiters { waiter.resume(with: result.map { _ in true }) }
  }

  private static func domain(_ error: any Error) -> any Error {
    if error is DownloadError || error is CancellationError { return error }
    return DownloadError(
      .auth, "The sign-in has ended and cannot be renewed. Sign in again.", status: 401,
      cause: error)
  }
}
