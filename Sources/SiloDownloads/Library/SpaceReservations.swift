import Foundation
import SiloSystem
import Synchronization

/// The room that the running items of this process were promised, each on its disk.
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
  }

  private let state = Mutex(State())
  private let fileSystem: @Sendable (URL) -> FileSystem?

  /// - Parameter fileSystem: The file system that a file will be on.
  init(fileSystem: @escaping @Sendable (URL) -> FileSystem? = DiskSpace.fileSystem(beside:)) {
    self.fileSystem = fileSystem
  }

  /// Promises room when `admit` does not throw, given what is there; nobody else is promised any meanwhile.
  func reserve(
    _ need: Need, admit: @escaping @Sendable (SpaceLook) throws -> Void
  ) async throws -> SpaceReservation {
    try await onOwnThread(named: "space") { [self] _ in
      try state.withLock { state in
        let disk = fileSystem(need.output)
        try admit(Self.look(need, disk, state, except: nil))
        let number = state.ledger.add(
          SpaceLedger.Claim(device: disk?.device ?? 0, peakByteCount: need.peakByteCount))
        state.places[number] = need.places
        return SpaceReservation(owner: self, number: number, need: need)
      }
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

  fileprivate func giveUp(_ number: Int) { state.withLock { $0.ledger.remove(number) } }

  fileprivate func end(_ number: Int) {
    state.withLock { state in
      state.ledger.remove(number)
      state.places[number] = nil
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
