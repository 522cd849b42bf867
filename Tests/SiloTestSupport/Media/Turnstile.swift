/// Lets so many through at a time, in the order of their coming.
///
/// All tests start at once: more encoders than processors would only hold up each other and whatever is timed.
actor Turnstile {
  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// A turnstile for `width` at a time.
  init(_ width: Int) { free = max(1, width) }

  /// Runs `body` when it is its turn.
  nonisolated func pass(_ body: () async throws -> Void) async rethrows {
    await enter()
    do {
      try await body()
    } catch {
      await leave()
      throw error
    }
    await leave()
  }

  private func enter() async {
    if free > 0 {
      free -= 1
    } else {
      await withCheckedContinuation { waiting.append($0) }
    }
  }

  private func leave() {
    if waiting.isEmpty {
      free += 1
    } else {
      waiting.removeFirst().resume()
    }
  }
}
