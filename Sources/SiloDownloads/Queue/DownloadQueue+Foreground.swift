import SiloStore
import SiloSystem

import struct Foundation.URL

extension DownloadQueue {
  /// A download that its caller carries out itself, and the item that it is.
  public struct Booking: Sendable {
    /// The item; `nil` when it could not be noted, which stops no download.
    public var id: String?
    /// Whether nobody wanted it before.
    fileprivate var isNew = false

    /// A download that is not noted.
    public init() {}

    fileprivate init(id: String, isNew: Bool) {
      self.id = id
      self.isNew = isNew
    }
  }

  /// Notes downloads that the caller is going to carry out, so that they have an identity, are listed, and can be taken up
  /// again by `retry` and `run` when they fail.
  ///
  /// Until each has its turn it is `paused`, so that no run of the queue takes it. What looks like a credential in an address is
  /// not kept. A source that cannot be one, as a file that is not there, is not noted.
  ///
  /// - Returns: One for each request. Never throws: a state that cannot be written costs the note and nothing else.
  public func book(_ requests: [DownloadRequest], headers: [String] = []) async -> [Booking] {
    let isSource = requests.map { canBeBooked($0.source) }
    let none = requests.map { _ in Booking() }
    guard isSource.contains(true) else { return none }
    let wishes = zip(requests, isSource).filter(\.1).map {
      ItemWish($0.0, headers: headers, keepsAddress: false)
    }
    guard let rows = try? Self.encoded(wishes) else { return none }
    let home = home
    let booked = try? await store.write { connection in
      try rows.map { wish, json in
        let (number, isNew) = try ItemTable.add(
          wish, of: owner(of: wish), encoded: json, in: connection)
        try takeKnownTitle(number, wish, in: connection)
        let item = try ItemTable.item(number, in: connection)
        let isElsewhere = item?.state.isRunning == true && ItemLock.isHeld(number, in: home)
        if !isElsewhere {
          if !isNew, !wish.lacksAddress {
            try ItemTable.change(number, to: wish, encoded: json, in: connection)
          }
          try ItemTable.enter(.paused, number, in: connection)
        }
        return Booking(id: "\(number)", isNew: isNew)
      }
    }
    guard var booked = booked?[...] else { return none }
    return isSource.map { $0 ? booked.popFirst() ?? Booking() : Booking() }
  }

  private func canBeBooked(_ text: String) -> Bool {
    if let reference = try? SiloReference(text) { return owner != nil && !reference.id.isEmpty }
    return switch try? SourceReference(text) {
    case .web: true
    case .local(let url): FileFacts(url.path) != nil
    case nil: false
    }
  }

  /// Carries a booked download out by `body`, and notes how it goes; cancelling the task leaves the item paused.
  ///
  /// Where the item cannot be taken, since another process has it perhaps, `body` is carried out all the same: whoever writes
  /// the file already has the output's lock.
  ///
  /// - Returns: How it ended; never `postponed`.
  public func carryOut(
    _ booking: Booking,
    _ body:
      @escaping @Sendable (
        _ events: @escaping @Sendable (DownloadEvent) -> Void
      ) async throws -> FinishedDownload?
  ) async -> ItemOutcome {
    if let number = booking.id.flatMap({ Int64($0) }) {
      let worker = ItemWorker(
        queue: self, number: number, isForeground: true, isNew: booking.isNew)
      let outcome = try? await worker.run { _, _, events in try await body(events) }
      if let outcome = outcome ?? nil { return outcome }
      // Given up before it had its turn.
      if let item = try? await item("\(number)"), item.state == .cancelled {
        return .withdrawn(.cancelled)
      }
    }
    do { return try await body { _ in }.map(ItemOutcome.finished) ?? .skipped } catch {
      return .failed(error)
    }
  }
}
