import SiloSystem
import Synchronization

/// Takes one range of a remote file into memory, after making sure that it is that range of that version.
final class RangeSink: HTTPBodySink {
  private struct State {
    var head: HTTPResponseHead?
    var bytes: [UInt8] = []
    var responses = 0
    var received: Int64 = 0
  }

  /// Ends a response whose rest nobody wants.
  struct Enough: Error {}

  private let range: Range<Int64>
  private let validators: HTTPValidators?
  private let subject: String
  private let state = Mutex(State())

  /// - Parameter validators: Those of the version that is read; `nil` for the first request.
  init(_ range: Range<Int64>, of validators: HTTPValidators?, subject: String) {
    self.range = range
    self.validators = validators
    self.subject = subject
  }

  /// The head of the last response; `nil` before there was one.
  var head: HTTPResponseHead? { state.withLock { $0.head } }
  /// The bytes of the range.
  var bytes: [UInt8] { state.withLock { $0.bytes } }
  /// How many responses began, and the body bytes of all of them.
  var cost: (requests: Int, byteCount: Int64) {
    state.withLock { ($0.responses, $0.received) }
  }

  /// What is still to come of the range, to be asked for after an attempt that was cut short.
  var rest: Range<Int64> {
    let start = range.lowerBound + Int64(state.withLock { $0.bytes.count })
    return min(start, range.upperBound)..<range.upperBound
  }

  func begin(_ head: HTTPResponseHead) throws {
    // What an attempt before brought stays when this one goes on behind it, with the same version.
    let before = state.withLock { state in
      let before = state.head?.validators
      if head.bodyOffset != range.lowerBound + Int64(state.bytes.count) { state.bytes = [] }
      state.head = head
      state.responses += 1
      return state.bytes.isEmpty ? nil : before
    }
    let isContinued = before != nil
    guard head.status == 206 || (head.status == 200 && range.lowerBound == 0) else {
      throw DownloadError(
        .unavailable, "The server does not give parts of the file (HTTP \(head.status)).",
        subject: subject, status: head.status)
    }
    guard isContinued || head.bodyOffset == range.lowerBound else {
      throw DownloadError(
        .integrity, "The server answers with another part of the file than was asked for.",
        subject: subject, status: head.status)
    }
    if let difference = (validators ?? before)?.difference(from: head.validators) {
      throw DownloadError(
        .integrity, "The file changed on the server while it was read: \(difference). Start again.",
        subject: subject)
    }
  }

  func receive(_ bytes: RawSpan) throws {
    let isEnough = state.withLock { state in
      let room = range.count - state.bytes.count
      let taken = min(room, bytes.byteCount)
      bytes.withUnsafeBytes { state.bytes.append(contentsOf: $0[..<taken]) }
      state.received += Int64(bytes.byteCount)
      return bytes.byteCount > room
    }
    if isEnough { throw Enough() }
  }
}
