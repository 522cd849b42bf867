import Synchronization

/// How fast one answer may be sent.
final class TransferPace: Sendable {
  /// Whose limit counts; `nil` for whoever is not signed in.
  let user: Int64?

  private let pacer: Pacer
  private let suspend: @Sendable () -> Void
  private let resume: @Sendable () -> Void
  /// What may be sent now; `nil` when the server stops.
  private let allowed = Mutex<Int?>(0)

  /// A pace within the limits of `pacer`.
  ///
  /// - Parameter suspend: Puts the connection to sleep until `resume`, which is called once for each.
  init(
    _ pacer: Pacer, user: Int64?, suspend: @escaping @Sendable () -> Void,
    resume: @escaping @Sendable () -> Void
  ) {
    (self.pacer, self.user) = (pacer, user)
    (self.suspend, self.resume) = (suspend, resume)
  }

  /// Takes leave to send up to `most` bytes of the `left` ones.
  func take(upTo most: Int, of left: Int64) -> Pacer.Answer {
    if let answer = takeAllowed(most) { return answer }
    let answer = pacer.ask(for: Int(min(left, Int64(BandwidthShare.mostAtOnce))), by: self)
    guard case .granted(let count) = answer else { return answer }
    allowed.withLock { $0 = count }
    return takeAllowed(most) ?? .wait
  }

  /// Sleeps, because there is no leave yet.
  func sleep() { suspend() }

  /// Goes on with leave for `byteCount`; `nil` when the server stops.
  func wake(_ byteCount: Int?) {
    allowed.withLock { $0 = byteCount }
    resume()
  }

  private func takeAllowed(_ most: Int) -> Pacer.Answer? {
    allowed.withLock { allowed in
      guard let count = allowed else { return .closed }
      guard count > 0 else { return nil }
      allowed = count - min(count, most)
      return .granted(min(count, most))
    }
  }
}
