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

  /// How long a playlist may grow: what is made while it is read is complete long before, what is live never.
  static let patience = Duration.seconds(3600)

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
    let start = waiting.now()
    warn("the playlist does not say that it is complete; it is read again until it does not grow")
    while unchanged < 2 {
      try await waiting.sleep(Self.pause(playlist))
      guard waiting.now() - start < Self.patience else {
        throw DownloadError(
          .temporary,
          "the playlist still grows after \(Int(Self.patience.seconds) / 60) min: it is live. Only complete streams are downloaded; try again when it has ended",
          subject: Redaction.text(of: rendition.url))
      }
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

  /// The time until a playlist is read again: its target duration, as far as its segments bear that out.
  static func pause(_ playlist: MediaPlaylist) -> Duration {
    let longest = playlist.segments.map(\.duration).max() ?? .zero
    return min(max(min(playlist.targetDuration, longest), .seconds(1)), .seconds(60))
  }
}
