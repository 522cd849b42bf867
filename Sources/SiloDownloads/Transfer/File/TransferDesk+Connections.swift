import SiloSystem
import Synchronization

extension TransferDesk {
  /// A connection that brought less than this before it failed counts as refused.
  private static let provenByteCount: Int64 = 64 << 10
  /// How often a refusal is put down to a server that answers nobody.
  private static let holdLimit = 4
  /// The smallest part that is taken off a slow connection: with it goes what is on its way there.
  private static let splitByteCount: Int64 = 512 << 10
  /// A connection that has so much left, in seconds, is slow when others have nothing to do.
  private static let splitTime = 2.0

  /// Claims the first gap for the first connection; `nil` when there is none.
  func lead() -> Place? {
    state.withLock { state in
      guard let claim = state.map.claimRest() else { return nil }
      state.lanes[claim.id] = Lane(isLead: true, started: now(), last: now())
      return Place(claim: claim.id, position: claim.position)
    }
  }

  /// The request of the first connection for what its claim has left.
  func request(lead place: Place) -> HTTPRequest {
    state.withLock { state in
      var next = request
      let plan = plan(state, for: place.claim)
      guard !state.isFickle else { return next }
      next.range = plan.range
      next.ifRange = plan.ifRange
      if let range = plan.range, let claim = state.map.claims[place.claim],
        claim.end > range.lowerBound, claim.reach != .max || claim.end != state.map.total ?? .max
      {
        next.range = range.lowerBound..<claim.end
      }
      return next
    }
  }

  func plan(_ state: borrowing State, for claim: Int) -> TransferPlan {
    let position = state.map.claims[claim]?.position ?? state.map.written.front
    return TransferPlan(
      written: position, holdsMore: state.map.written.byteCount > 0, validators: state.validators)
  }

  /// Claims something for one more connection; `nil` when none is wanted, or nothing is left that is worth it.
  ///
  /// - Parameter isProven: The connection brought another piece before.
  func claim(isProven: Bool) -> (place: Place, request: HTTPRequest)? {
    state.withLock { state in
      let now = self.now()
      guard state.isShareable, !state.map.isComplete, state.lanes.count < state.rule.count,
        let claim = pick(&state, at: now)
      else { return nil }
      state.lanes[claim.id] = Lane(isProven: isProven, started: now, last: now)
      var next = request
      next.range = claim.position..<claim.end
      next.ifRange = state.validators.ifRange
      return (Place(claim: claim.id, position: claim.position), next)
    }
  }

  private func pick(_ state: inout State, at now: Duration) -> PieceMap.Claim? {
    let left = (state.map.total ?? 0) - state.map.written.byteCount
    let byteCount = TransferPace.pieceByteCount(
      rate: state.rate.perSecond.map { $0 / Double(max(1, answering(state))) }, left: left,
      count: state.rule.count)
    if let claim = state.map.claim(byteCount) { return claim }
    if let slowest = slowest(state, at: now),
      let claim = state.map.split(slowest, least: Self.splitByteCount)
    {
      return claim
    }
    let stalled = state.lanes.filter { now - $0.value.last >= wishes.pace.patience }
    for id in stalled.keys.sorted() {
      if let claim = state.map.share(id) { return claim }
    }
    return nil
  }

  /// The claim that would take longest, if that is long.
  private func slowest(_ state: borrowing State, at now: Duration) -> Int? {
    var longest: (id: Int, seconds: Double)?
    for (id, lane) in state.lanes where lane.byteCount > 0 {
      guard let claim = state.map.claims[id], !claim.isShared else { continue }
      let rate = Double(lane.byteCount) / max(0.001, (now - lane.started).seconds)
      let seconds = Double(claim.end - claim.position) / rate
      if seconds > max(Self.splitTime, longest?.seconds ?? 0) { longest = (id, seconds) }
    }
    return longest?.id
  }

  private func answering(_ state: borrowing State) -> Int {
    var count = 0
    for lane in state.lanes.values where lane.byteCount > 0 || lane.isProven { count += 1 }
    return count
  }

  /// A connection ended: what it did not bring is free again.
  ///
  /// - Parameter isRefused: The server did not want it, or it failed.
  func release(_ place: Place, isRefused: Bool = false) {
    state.withLock { state in
      let lane = state.lanes.removeValue(forKey: place.claim)
      state.map.release(place.claim)
      guard isRefused, (lane?.byteCount ?? 0) < Self.provenByteCount else { return }
      let recent = self.now() - wishes.pace.window * 4
      let working = state.lanes.values.count {
        ($0.byteCount > 0 || $0.isProven) && $0.last > recent
      }
      if working > 0 || state.holds >= Self.holdLimit {
        state.rule.refused(working: working)
      } else {
        // Nobody gets anything now: that says nothing about the number. The first connection tries alone until it does.
        state.holds += 1
        state.heldAt = state.received
      }
    }
  }

  /// Looks at what the connections bring; returns how many more are wanted.
  func look() -> Int {
    state.withLock { state in
      let now = self.now()
      state.rate.add(state.received, at: now)
      if let heldAt = state.heldAt, state.received < heldAt + Self.provenByteCount { return 0 }
      state.heldAt = nil
      guard state.isShareable, let total = state.map.total else { return 0 }
      state.rule.look(
        byteCount: state.received, left: total - state.map.written.byteCount,
        answering: answering(state), connections: state.lanes.count, at: now)
      return max(0, state.rule.count - state.lanes.count)
    }
  }
}
