import SiloSystem

/// The connections of one transfer: a first one that is there from start to end, and more while they help.
///
/// The first has the retries and their budget. The others have one attempt each: what one does not bring is free for the rest.
struct TransferCrew: Sendable {
  let client: HTTPClient
  let desk: TransferDesk

  private enum Event: Sendable {
    /// It is time to look at the connections.
    case look
    /// A connection ended.
    case ended(Result<Void, any Error>)
  }

  /// Brings everything that is missing; returns the head of the first connection's last answer.
  func run() async throws -> HTTPResponseHead {
    var reached: Int64 = -1
    while true {
      do {
        try await shift()
      } catch let error as TransferDesk.StartOver {
        try desk.startOver(error)
        reached = -1
        continue
      } catch let error as DownloadError
        where error.status == 416 && desk.written.pieces.byteCount > 0
      {
        try desk.startOver(.init(reason: "The source is shorter than it was."))
        reached = -1
        continue
      }
      let byteCount = desk.written.pieces.byteCount
      if desk.isComplete, let head = desk.head {
        guard byteCount > 0 else { throw desk.failure(.unsupported, "The file is empty.") }
        return head
      }
      guard byteCount > reached else {
        throw desk.failure(
          .integrity,
          "The file ends after \(byteCount) bytes, and \(desk.total ?? byteCount) were announced.")
      }
      reached = byteCount
    }
  }

  /// Works until everything is there, or no connection is left.
  private func shift() async throws {
    guard let place = desk.lead() else { return }
    let failure = await withTaskGroup(of: Event.self) { group -> (any Error)? in
      group.addTask { .ended(await Self.result { try await lead(place) }) }
      group.addTask { await rest() }
      var (connections, failure) = (1, nil as (any Error)?)
      while connections > 0, let event = await group.next() {
        switch event {
        case .look:
          guard failure == nil, !desk.isComplete else { break }
          for _ in 0..<desk.look() {
            connections += 1
            group.addTask { .ended(await Self.result { try await work() }) }
          }
          group.addTask { await rest() }
        case .ended(let result):
          connections -= 1
          if case .failure(let error) = result, failure == nil, !desk.isComplete { failure = error }
        }
        if failure != nil || desk.isOver { group.cancelAll() }
      }
      group.cancelAll()
      return failure
    }
    desk.clear()
    if let failure { throw failure }
  }

  private static func result(
    _ body: @Sendable () async throws -> Void
  ) async -> Result<Void, any Error> {
    do {
      return .success(try await body())
    } catch {
      return .failure(error)
    }
  }

  private func rest() async -> Event {
    try? await Task.sleep(for: desk.wishes.pace.window / 4)
    return .look
  }

  /// The first connection: from the first gap on, then like the others.
  private func lead(_ place: TransferDesk.Place) async throws {
    let sink = TransferSink(desk, lead: place)
    do {
      _ = try await client.stream(sink.nextRequest(), into: sink) { sink.nextRequest() }
      desk.endHere()
    } catch is TransferDesk.Enough {}
    desk.release(sink.place)
    try await work(isProven: true)
  }

  /// One connection after the other claim, until nothing is left for it.
  private func work(isProven: Bool = false) async throws {
    var isProven = isProven
    while !Task.isCancelled, let (place, request) = desk.claim(isProven: isProven) {
      let sink = TransferSink(desk, place, asked: request.range)
      let end: HTTPClient.Attempt.End
      do {
        end = try await client.attempt(request, into: sink).end
      } catch is DownloadError {
        // A redirect that is not followed, a sign-in that is not renewed: the first connection meets it too, and says so.
        return desk.release(place, isRefused: true)
      }
      switch end {
      case .complete: desk.release(place)
      case .refused(is TransferDesk.Enough): desk.release(place)
      case .refused(is TransferDesk.Declined), .failed:
        return desk.release(place, isRefused: true)
      case .refused(let error): throw error
      }
      isProven = true
    }
  }
}
