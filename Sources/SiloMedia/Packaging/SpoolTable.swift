import SiloSystem
import Synchronization

/// Where the parts of one spool lie, in their order: filled in while they arrive, and whoever asks for one waits for it.
///
/// One thread fills it, one reads.
package final class SpoolTable: Sendable {
  private struct State {
    var ranges: [Range<Int64>]
    var failure: (any Error)?
  }

  /// How many parts there will be, init sections included.
  package let partCount: Int
  private let state: Mutex<State>
  /// `nil` when nothing is waited for.
  private let arrivals: Doorbell?

  /// A table of `partCount` parts, of which none is there.
  ///
  /// - Throws: `SystemCallError` when the system has no descriptor left.
  package init(partCount: Int) throws {
    self.partCount = partCount
    state = Mutex(State(ranges: []))
    arrivals = try Doorbell()
  }

  /// A table of parts that are all there.
  init(_ ranges: [Range<Int64>]) {
    partCount = ranges.count
    state = Mutex(State(ranges: ranges))
    arrivals = nil
  }

  /// Tells where the next part lies; its bytes are in the spool.
  package func append(_ range: Range<Int64>) {
    state.withLock { $0.ranges.append(range) }
    arrivals?.ring()
  }

  /// Ends every wait for parts that are not there with `error`.
  package func close(_ error: any Error) {
    state.withLock { $0.failure = $0.failure ?? error }
    arrivals?.ring()
  }

  /// The bytes of the parts that are there.
  package var byteCount: Int64 {
    state.withLock { $0.ranges.reduce(0) { $0 + Int64($1.count) } }
  }

  /// Whether every part is there.
  package var isWhole: Bool { state.withLock { $0.ranges.count >= partCount } }

  /// Where a part lies, as soon as it is there.
  ///
  /// Blocks the thread. Throws what the table was closed with when the part did not arrive before.
  func range(of part: Int) throws -> Range<Int64> {
    while true {
      let (range, failure) = state.withLock { state in
        (state.ranges.indices.contains(part) ? state.ranges[part] : nil, state.failure)
      }
      if let range { return range }
      if let failure { throw failure }
      guard let arrivals, part < partCount else {
        throw MediaError(.internal, "The spool has no part \(part).")
      }
      arrivals.wait()
    }
  }

  /// Where a part lies; `nil` when it is not there yet.
  package func known(_ part: Int) -> Range<Int64>? {
    state.withLock { $0.ranges.indices.contains(part) ? $0.ranges[part] : nil }
  }
}
