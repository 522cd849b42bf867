import Synchronization

/// Hands the body of one connection to the desk, straight from curl's buffer, after its head was compared with what is there.
final class TransferSink: HTTPBodySink {
  private struct State {
    var place: TransferDesk.Place
    /// The range that the running request asked for.
    var asked: Range<Int64>?
  }

  private let desk: TransferDesk
  private let isLead: Bool
  private let state: Mutex<State>

  /// A sink for the first connection of a transfer.
  init(_ desk: TransferDesk, lead place: TransferDesk.Place) {
    (self.desk, isLead) = (desk, true)
    state = Mutex(State(place: place, asked: nil))
  }

  /// A sink for one more connection that asks for `asked`.
  init(_ desk: TransferDesk, _ place: TransferDesk.Place, asked: Range<Int64>?) {
    (self.desk, isLead) = (desk, false)
    state = Mutex(State(place: place, asked: asked))
  }

  /// The claim that it serves.
  var place: TransferDesk.Place { state.withLock { $0.place } }

  /// The request of the first connection for what is missing.
  func nextRequest() -> HTTPRequest {
    state.withLock { state in
      let request = desk.request(lead: state.place)
      state.asked = request.range
      return request
    }
  }

  func begin(_ head: HTTPResponseHead) throws {
    try state.withLock { state in
      if isLead {
        state.place = try desk.begin(head, lead: state.place, asked: state.asked)
      } else {
        try desk.begin(head, at: state.place, asked: state.asked ?? 0..<Int64.max)
      }
    }
  }

  func receive(_ bytes: RawSpan) throws {
    try state.withLock { try desk.receive(bytes, at: &$0.place) }
  }
}
