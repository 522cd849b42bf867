import Dispatch
import SiloSystem
import Synchronization

/// Lets connections send in turn, as the limits allow.
final class Pacer: Sendable {
  /// What a connection is told that has something to send.
  enum Answer: Sendable, Hashable {
    /// So many bytes may be sent.
    case granted(Int)
    /// Later: it will be called.
    case wait
    /// Nothing any more: the server stops.
    case closed
  }

  /// Somebody who is to be woken.
  private typealias Call = (pace: TransferPace, byteCount: Int)

  private struct State {
    var share: BandwidthShare
    var waiting: [BandwidthShare.Ticket: TransferPace] = [:]
    var lastTicket: BandwidthShare.Ticket = 0
    /// When the timer will look again.
    var armedFor: Duration?
    /// The timer that is meant by it: those that were set before have nothing to say any more.
    var timer = 0
    var isClosed = false
  }

  private let state: Mutex<State>
  private let queue = DispatchQueue(label: "server-pace")
  private let start = ContinuousClock.now

  init(_ limits: BandwidthLimits) {
    state = Mutex(State(share: BandwidthShare(limits)))
  }

  /// Asks for leave to send up to `need` bytes.
  ///
  /// With `wait` the pace was put to sleep before, and is woken.
  func ask(for need: Int, by pace: TransferPace) -> Answer {
    let (answer, calls) = state.withLock { state -> (Answer, [Call]) in
      guard !state.isClosed else { return (.closed, []) }
      state.lastTicket += 1
      let ticket = state.lastTicket
      state.share.ask(ticket, of: pace.user, need: need)
      let grants = state.share.grants(at: now)
      defer { arm(&state) }
      if let own = grants.first(where: { $0.ticket == ticket }) {
        return (.granted(own.byteCount), Self.take(grants, from: &state))
      }
      // Before anybody can wake it: that needs the lock.
      pace.sleep()
      state.waiting[ticket] = pace
      return (.wait, Self.take(grants, from: &state))
    }
    for call in calls { call.pace.wake(call.byteCount) }
    return answer
  }

  /// Wakes everybody who waits, and answers `closed` from now on.
  func close() {
    let waiting = state.withLock { state in
      state.isClosed = true
      defer { state.waiting = [:] }
      return Array(state.waiting.values)
    }
    for pace in waiting { pace.wake(nil) }
  }

  private var now: Duration { ContinuousClock.now - start }

  private func tick(_ timer: Int) {
    let calls = state.withLock { state -> [Call] in
      guard !state.isClosed, timer == state.timer else { return [] }
      state.armedFor = nil
      defer { arm(&state) }
      return Self.take(state.share.grants(at: now), from: &state)
    }
    for call in calls { call.pace.wake(call.byteCount) }
  }

  /// Sets the timer for the next grant, when it is not set for that time or an earlier one.
  private func arm(_ state: inout State) {
    guard let next = state.share.nextGrant, next < state.armedFor ?? .seconds(Int64.max) else {
      return
    }
    state.armedFor = next
    state.timer += 1
    let (timer, wait) = (state.timer, max(.zero, next - now).seconds)
    queue.asyncAfter(deadline: .now() + wait) { [weak self] in self?.tick(timer) }
  }

  private static func take(
    _ grants: [BandwidthShare.Grant], from state: inout State
  ) -> [Call] {
    grants.compactMap { grant in
      state.waiting.removeValue(forKey: grant.ticket).map { ($0, grant.byteCount) }
    }
  }
}
