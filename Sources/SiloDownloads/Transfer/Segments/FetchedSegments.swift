import Synchronization

package import struct Foundation.URL

/// Segments that the look into a presentation brought whole, kept until the transfer takes them: so each is asked for once.
package final class FetchedSegments: Sendable {
  /// The most bytes that are kept; what comes later is fetched again.
  package static let limit = 16 << 20

  private struct Piece: Hashable {
    var url: URL
    var range: Range<Int64>?
  }

  private struct State {
    var bodies: [Piece: [UInt8]] = [:]
    var byteCount = 0
    var longestFetch: Duration?
  }

  private let state = Mutex(State())

  /// Nothing yet.
  package init() {}

  /// How long the slowest of the segments that came whole was under way; `nil` when there is none.
  package var longestFetch: Duration? { state.withLock { $0.longestFetch } }

  /// Keeps the bytes of a resource, or of `range` of it, as the server sent them.
  ///
  /// - Parameter time: How long it was under way, where it is a segment.
  package func keep(
    _ body: [UInt8], of url: URL, range: Range<Int64>?, after time: Duration? = nil
  ) {
    state.withLock { state in
      if let time { state.longestFetch = max(state.longestFetch ?? .zero, time) }
      let piece = Piece(url: url, range: range)
      guard state.bodies[piece] == nil, state.byteCount + body.count <= Self.limit else { return }
      state.bodies[piece] = body
      state.byteCount += body.count
    }
  }

  /// The bytes, once: whoever finds them wanting has to fetch them.
  package func take(_ url: URL, range: Range<Int64>?) -> [UInt8]? {
    state.withLock { state in
      guard let body = state.bodies.removeValue(forKey: Piece(url: url, range: range)) else {
        return nil
      }
      state.byteCount -= body.count
      return body
    }
  }
}
