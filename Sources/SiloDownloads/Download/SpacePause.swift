import SiloMedia
import SiloStore
import SiloSystem
import Synchronization

/// Repeats a step that continues where it was, whenever the disk was full and has space again.
struct SpacePause: Sendable {
  let policy: FullDiskPolicy
  let reservation: SpaceReservation
  let events: @Sendable (DownloadEvent) -> Void
  var waiting: Waiting = .system

  /// The pauses between two looks double from here.
  static let firstPause = Duration.milliseconds(500)
  /// To this, where the disk tells what is free.
  static let lookPause = Duration.seconds(5)
  /// Or to this, where only another attempt tells: quotas, files that are too many.
  static let attemptPause = Duration.seconds(60)

  /// Carries out `step`, which is given the events to tell.
  ///
  /// - Throws: What `step` throws; a full disk only when the policy, or its patience, says so.
  func run<Result>(
    _ step: (_ events: @escaping @Sendable (DownloadEvent) -> Void) async throws -> Result
  ) async throws -> Result {
    let furthest = FurthestProgress(events)
    var wait = Wait()
    while true {
      do { return try await step(furthest.pass) } catch {
        guard case .wait(let limit) = policy, let cause = Self.shortage(in: error) else {
          throw error
        }
        if furthest.hasMoved() { wait = Wait() }
        try await pause(&wait, for: cause, error, within: limit)
      }
    }
  }

  /// What was waited since bytes arrived last.
  private struct Wait {
    var waited = Duration.zero
    var pause = SpacePause.firstPause
    var isTold = false
  }

  private func pause(
    _ wait: inout Wait, for cause: Shortage, _ error: any Error, within limit: Duration?
  ) async throws {
    reservation.giveUp()
    var look = try await reservation.retake()
    // Full although there is room: what is missing cannot be looked at, only tried.
    let isBlind = cause == .quota || look.isEnough
    if !wait.isTold {
      wait.isTold = true
      events(.spaceNeeded(shortage(look, error, isBlind: isBlind)))
      events(.phase(.waiting))
    }
    repeat {
      if let limit, wait.waited + wait.pause > limit { throw error }
      try await waiting.sleep(wait.pause)
      wait.waited += wait.pause
      wait.pause = min(wait.pause * 2, isBlind ? Self.attemptPause : Self.lookPause)
      look = try await reservation.retake()
    } while !isBlind && !look.isEnough
  }

  private func shortage(
    _ look: SpaceLook, _ error: any Error, isBlind: Bool
  ) -> SpaceShortage {
    let text =
      (error as? DownloadError)?.message ?? (error as? MediaError)?.message
      ?? (error as? SystemCallError).map { DownloadError(writing: $0).message } ?? "\(error)"
    return SpaceShortage(
      neededByteCount: look.peakByteCount == nil || isBlind ? nil : look.missingByteCount,
      availableByteCount: isBlind ? nil : look.availableByteCount,
      // The rest is what to do after a failure; nothing failed yet.
      message: String(text.prefix { $0 != "." }) + ".")
  }

  /// What can be full.
  enum Shortage: Hashable { case disk, quota }

  /// What was full when `error` is that something was; a full account on a server is another matter.
  static func shortage(in error: any Error) -> Shortage? {
    switch error {
    case let error as SystemCallError:
      error.isOverQuota ? .quota : error.isOutOfSpace ? .disk : nil
    case let error as StoreError: error.code == .full ? .disk : nil
    case let error as MediaError:
      error.cause.flatMap(shortage) ?? (error.code == .noSpace ? .disk : nil)
    case let error as DownloadError: error.cause.flatMap(shortage)
    default: nil
    }
  }
}

/// Passes events on; a step that starts anew never takes the progress back.
private final class FurthestProgress: Sendable {
  private struct State {
    var bytes: Int64 = 0
    var seen: Int64 = 0
  }

  private let state = Mutex(State())
  private let events: @Sendable (DownloadEvent) -> Void

  init(_ events: @escaping @Sendable (DownloadEvent) -> Void) { self.events = events }

  @Sendable func pass(_ event: DownloadEvent) {
    guard case .progress(var progress) = event else { return events(event) }
    progress.bytes = state.withLock { state in
      state.bytes = max(state.bytes, progress.bytes)
      return state.bytes
    }
    if let total = progress.total { progress.total = max(total, progress.bytes) }
    events(.progress(progress))
  }

  /// Whether bytes came since this was asked last.
  func hasMoved() -> Bool {
    state.withLock { state in
      defer { state.seen = state.bytes }
      return state.bytes > state.seen
    }
  }
}
