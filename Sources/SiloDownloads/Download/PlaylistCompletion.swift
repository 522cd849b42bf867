import Foundation
import SiloMedia
import SiloSystem

/// Waits for playlists without EXT-X-ENDLIST: read again after a target duration, unchanged twice is complete.
struct PlaylistCompletion: Sendable {
  /// One rendition to be fetched whole.
  struct Complete: Sendable {
    var name: String
    var form: RenditionSpool.Form
    var playlist: MediaPlaylist
  }

  let reader: DocumentReader
  var variables: [String: String] = [:]
  var waiting: Waiting = .system

  /// The chosen renditions with playlists that will not grow any more.
  func complete(
    _ presentation: HLSPresentation, _ chosen: [Int], warn: @escaping @Sendable (String) -> Void
  ) async throws -> [Complete] {
    try await withThrowingTaskGroup(of: (Int, Complete).self) { group in
      for (order, index) in chosen.enumerated() {
        let rendition = presentation.renditions[index]
        group.addTask {
          let playlist = try await self.complete(rendition, warn)
          return (order, Complete(name: "r\(index)", form: rendition.form, playlist: playlist))
        }
      }
      var found: [Int: Complete] = [:]
      for try await (order, complete) in group { found[order] = complete }
      return found.sorted { $0.key < $1.key }.map(\.value)
    }
  }

  private func complete(
    _ rendition: HLSRendition, _ warn: @Sendable (String) -> Void
  ) async throws -> MediaPlaylist {
    var playlist = rendition.playlist
    guard playlist.completeness != .ended else { return playlist }
    var unchanged = 0
    while unchanged < 2 {
      let pause = min(max(playlist.targetDuration, .seconds(1)), .seconds(60))
      try await waiting.sleep(pause)
      // A reload asks the first URL again: the one it was redirected to may have expired.
      let document = try await reader.read(rendition.url)
      guard
        case .media(let next) = try Playlist.parse(
          document.body, url: document.head.url, variables: variables)
      else {
        throw MediaError(
          .malformed, "the playlist turned into another kind",
          subject: Redaction.text(of: rendition.url))
      }
      if next.completeness == .ended { return next }
      if let first = playlist.segments.first, let now = next.segments.first,
        now.mediaSequence > first.mediaSequence
      {
        throw MediaError(
          .unsupported,
          "this is a live stream whose beginning is gone already; only complete streams are downloaded",
          subject: Redaction.text(of: rendition.url))
      }
      unchanged = next.segments.count == playlist.segments.count ? unchanged + 1 : 0
      playlist = next
    }
    warn(
      "the playlist does not say that it is complete; it did not change any more and is taken as complete"
    )
    return playlist
  }
}
