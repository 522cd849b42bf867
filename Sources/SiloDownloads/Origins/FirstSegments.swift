import Foundation
import SiloMedia
import SiloStore
import SiloSystem

/// What was learnt from the first segments of presentations that are not finished yet.
struct FirstSegments: Sendable {
  let store: StateStore

  /// What is known of the segments of `presentation`; nothing when the record cannot be read, which only costs requests.
  func recall(
    _ presentation: HLSPresentation, of source: String
  ) async -> [(Int, HLSRendition.FirstSegment)] {
    let read = try? await store.read { try FirstSegmentTable.segments(of: source, in: $0) }
    guard let known = read ?? nil else { return [] }
    return presentation.firstSegments.compactMap { index, segment in
      known[Self.name(of: segment)].map { byteCount, inventory in
        (
          index,
          HLSRendition.FirstSegment(
            inventory: inventory, byteCount: byteCount, duration: segment.duration)
        )
      }
    }
  }

  /// Notes what `presentation` learnt, until its file is recorded as finished.
  static func note(
    _ presentation: HLSPresentation, of source: String, in connection: borrowing Connection
  ) throws {
    let learnt = presentation.renditions.compactMap { rendition in
      rendition.firstSegment.flatMap { first in
        rendition.playlist.segments.first { !$0.isGap }.map { (name(of: $0), first) }
      }
    }
    for (name, first) in learnt {
      try FirstSegmentTable.store(
        name, byteCount: first.byteCount, inventory: first.inventory, of: source, in: connection)
    }
  }

  /// Tells a segment from others without the secrets of its URL.
  private static func name(of segment: MediaSegment) -> String {
    let range = segment.byteRange.map { "\($0.lowerBound)-\($0.upperBound)" } ?? ""
    return
      "\(segment.mediaSequence) \(segment.duration) \(range) \(ResourceIdentity.text(of: segment.url))"
  }
}
