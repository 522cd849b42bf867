import SiloSystem

/// How far all renditions of a transfer are together; never goes back.
package struct SegmentProgress: Hashable, Sendable {
  /// How far one rendition is.
  package struct Share: Hashable, Sendable {
    /// Bytes in the spool.
    package var byteCount: Int64 = 0
    /// The play time of the segments in the spool.
    package var duration = Duration.zero
    /// The play time of all segments.
    package var durationTotal = Duration.zero
  }

  /// Bytes in the spools, those of earlier runs included.
  package var byteCount: Int64 = 0
  /// Segments in the spools, those of earlier runs included.
  package var segmentCount = 0
  /// Segments that will be in the spools; gaps are none.
  package var segmentTotal = 0
  /// Each rendition's part, in the order of the requests.
  package var shares: [Share] = []

  /// The bytes that all segments together will have, in bytes.
  ///
  /// What was declared counts by what is not yet done, and what the segments that are here let expect by what is: by the
  /// rendition that is furthest behind, since the others say nothing about it.
  ///
  /// - Parameter declared: What the presentation lets expect before anything was fetched; `nil` when it says nothing.
  /// - Returns: `nil` when nothing was declared and a rendition has not begun.
  package func expectedByteCount(declared: Int64?) -> Int64? {
    if segmentCount == segmentTotal, segmentTotal > 0 { return byteCount }
    var done = 1.0
    var extrapolated = 0.0
    for share in shares where share.durationTotal > .zero {
      guard share.duration > .zero else { return declared.map { max($0, byteCount) } }
      let part = min(1, share.duration / share.durationTotal)
      done = min(done, part)
      extrapolated += Double(share.byteCount) / part
    }
    guard extrapolated > 0, extrapolated < 1e18 else { return declared.map { max($0, byteCount) } }
    let expected =
      declared.map { Double($0) * (1 - done) + extrapolated * done } ?? extrapolated
    return max(byteCount, Int64(expected))
  }
}
