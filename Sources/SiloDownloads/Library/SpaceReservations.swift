import Foundation
import SiloSystem
import Synchronization

/// The room that the running items of this process were promised, each on its disk.
///
/// An item for which there would be room, did others not need or have it, waits until one of them ends.
///
/// An item is measured by the blocks of its files whenever another one asks: nobody has to report progress here, and blocks
/// that were reserved for it count as taken, not as missing.
final class SpaceReservations: Sendable {
  /// Those of the process.
  static let shared = SpaceReservations()

  /// Where an item will be, and what it writes meanwhile.
  struct Need: Sendable {
    /// The finished file.
    var output: URL
    /// The files and folders that grow while it is made.
    var places: [URL]
    /// The most bytes on disk at one time; `nil` when nobody knows.
    var peakByteCount: Int64?
  }

  private struct State {
    var ledger = SpaceLedger()
    var places: [Int: [URL]] = [:]
    var waiters: [AsyncStream<Void>.Continuation] = []
  }

  private enum Answer: Sendable {
    case promised(SpaceReservation)
    /// Somebody has to give room back first.
    case later(AsyncStream<Void>)
  }

  private let state = Mutex(State())
  private let fileSystem: @Sendable (URL) -> FileSystem?

  /// - Parameter fileSystem: The file system that a file will be on.
  init(fileSystem: @escaping @Sendable (URL) -> FileSystem? = DiskSpace.fileSystem(beside:)) {
    self.fileSystem = fileSystem
  }

  /// Promises room when `admit` does not throw, given what is there; nobody else is promised any meanwhile.
  ///
  /// - Parameter waits: Called once when others have to end first.
  /// - Throws: What `admit` throws, when there would be too little too if all others gave back everything;
  ///   `CancellationError`.
  func reserve(
    _ need: Need, waits: () -> Void = {},
    admit: @escaping @Sendable (SpaceLook) throws -> Void
  ) async throws -> SpaceReservation {
    var isTold = false
    while true {
      let answer = try await onOwnThread(named: "space") { [self] _ in
        try self.answer(to: need, admit)
      }
      switch answer {
      case .promised(let reservation): return reservation
      case .later(let changes):
        if !isTold { waits() }
        isTold = true
        for await _ in changes { break }
        try Task.checkCancellation()
      }
    }
  }

  private func answer(
    to need: Need, _ admit: (SpaceLook) throws -> Void
  ) throws -> Answer {
    try state.withLock { state in
      let disk = fileSystem(need.output)
      let look = Self.look(need, disk, state, except: nil)
      do { try admit(look) } catch {
        // What the others have on the disk may be given back when they end; more than that they cannot.
        guard let disk else { throw error }
        let others = state.ledger.claims.filter { $0.value.device == disk.device }.keys
        let places = others.map { state.places[$0] ?? [] }
        // Measured before and after the free space: what they write or remove meanwhile is counted twice, and never missed.
        let before = places.map(Self.used(by:))
        let free = fileSystem(need.output)?.freeByteCount ?? disk.freeByteCount
        let used = zip(before, places).reduce(Int64(0)) { sum, other in
          sum.addingReportingOverflow(max(other.0, Self.used(by: other.1))).partialValue
        }
        var alone = look
        alone.reservedByteCount = 0
        alone.freeByteCount = free.addingReportingOverflow(used).partialValue
        guard !others.isEmpty, (try? admit(alone)) != nil else { throw error }
        let (changes, waiter) = AsyncStream.makeStream(
          of: Void.self, bufferingPolicy: .bufferingNewest(1))
        state.waiters.append(waiter)
        return .later(changes)
      }
      let number = state.ledger.add(
        SpaceLedger.Claim(device: disk?.device ?? 0, peakByteCount: need.peakByteCount))
      state.places[number] = need.places
      return .promised(SpaceReservation(owner: self, number: number, need: need))
    }
  }

  private static func look(
    _ need: Need, _ disk: FileSystem?, _ state: State, except number: Int?
  ) -> SpaceLook {
    var look = SpaceLook(
      freeByteCount: disk?.freeByteCount,
      usedByteCount: used(by: need.places), peakByteCount: need.peakByteCount)
    if let disk {
      look.reservedByteCount = state.ledger.reservedByteCount(on: disk.device, except: number) {
        used(by: state.places[$0] ?? [])
      }
    }
    return look
  }

  private static func used(by places: [URL]) -> Int64 {
    places.reduce(0) { $0 + DiskSpace.used(by: $1) }
  }

  /// What there is for an item that was given up; with room enough it is promised again.
  fileprivate func retake(_ reservation: SpaceReservation) async throws -> SpaceLook {
    let (number, need) = (reservation.number, reservation.need)
    return try await onOwnThread(named: "space") { [self] _ in
      state.withLock { state in
        let disk = fileSystem(need.output)
        let look = Self.look(need, disk, state, except: number)
        if look.isEnough {
          let claim = SpaceLedger.Claim(
            device: disk?.device ?? 0, peakByteCount: need.peakByteCount)
          state.ledger.put(claim, as: number)
        }
        return look
      }
    }
  }

  fileprivate func giveUp(_ number: Int) { giveBack(number) { _ in } }

  fileprivate func end(_ number: Int) { giveBack(number) { $0.places[number] = nil } }

  private func giveBack(_ number: Int, _ change: (inout State) -> Void) {
    let waiters = state.withLock { state in
      state.ledger.remove(number)
      change(&state)
      return exchange(&state.waiters, with: [])
    }
    for waiter in waiters {
      waiter.yield()
      waiter.finish()
    }
  }
}

/// Room that one item was promised, given back with the last reference.
final class SpaceReservation: Sendable {
  private let owner: SpaceReservations
  fileprivate let number: Int
  /// What it is for.
  let need: SpaceReservations.Need

  fileprivate init(owner: SpaceReservations, number: Int, need: SpaceReservations.Need) {
    self.owner = owner
    self.number = number
    self.need = need
  }

  /// Lets others have the room while the item waits.
  func giveUp() { owner.giveUp(number) }

  /// What there is for it now; with room enough it has the promise again.
  func retake() async throws -> SpaceLook { try await owner.retake(self) }

  deinit { owner.end(number) }
}
