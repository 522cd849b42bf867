import Foundation
import Glibc
import SiloContract
import SiloTestSupport
import Synchronization

@testable import SiloServer

/// A catalog that a test fills by hand; the bytes lie in a folder.
final class MemoryShelf: MediaShelf {
  struct Contents {
    var items: [String: ItemDetail] = [:]
    var files: [MediaFileID: ShelfFile] = [:]
    var names: [MediaFileID: String] = [:]
    var artwork: [String: String] = [:]
    /// Items whose look-up fails.
    var broken: Set<String> = []
  }

  let folder: TemporaryFolder
  private let contents = Mutex(Contents())

  init(in folder: TemporaryFolder) { self.folder = folder }

  func change(_ body: @Sendable (inout Contents) -> Void) { contents.withLock { body(&$0) } }

  /// Adds a film with one file of the given bytes.
  @discardableResult
  func addFilm(
    _ id: String, file: Int64, name: String, _ bytes: [UInt8], resolution: String = "1080p"
  ) throws -> ItemDetail {
    var item = ItemDetail(contentID: id, type: .movie, title: id)
    item.versions = [try addFile(file, name, bytes, of: id, episode: nil, resolution)]
    contents.withLock { $0.items[id] = item }
    return item
  }

  /// Adds a series with episodes; those whose bytes are `nil` have no file.
  func addSeries(_ id: String, _ episodes: [(id: String, season: Int, bytes: [UInt8]?)]) throws {
    contents.withLock {
      $0.items[id] = ItemDetail(contentID: id, type: .series, title: "The series")
    }
    for (number, episode) in episodes.enumerated() {
      var item = ItemDetail(contentID: episode.id, type: .episode, title: episode.id)
      (item.seriesID, item.seriesTitle) = (id, "The series")
      (item.seasonNumber, item.episodeNumber) = (episode.season, number + 1)
      if let bytes = episode.bytes {
        let file = Int64(1000 + number)
        item.versions = [
          try addFile(file, "\(episode.id).mkv", bytes, of: id, episode: episode.id, "1080p")
        ]
      }
      let stored = item
      contents.withLock { $0.items[episode.id] = stored }
    }
  }

  private func addFile(
    _ number: Int64, _ name: String, _ bytes: [UInt8], of content: String, episode: String?,
    _ resolution: String
  ) throws -> MediaVersion {
    try folder.write(name, bytes)
    let id = MediaFileID(number)
    var version = MediaVersion(fileID: id, fileSize: Int64(bytes.count))
    (version.fileName, version.resolution, version.container) = (name, resolution, "mkv")
    (version.videoCodec, version.audioCodec) = ("hevc", "aac")
    version.durationSeconds = 12.5
    var (first, second) = (VersionAudioTrack(), VersionAudioTrack())
    (first.language, first.codec, first.channels, first.isDefault) = ("en", "aac", 6, true)
    (second.language, second.codec, second.channels) = ("tr", "aac", 2)
    version.audioTracks = [first, second]
    let file = ShelfFile(
      version: version, contentID: content, episodeID: episode,
      modifiedNanoseconds: 1_700_000_000_000_000_001)
    let stored = version
    contents.withLock {
      $0.files[id] = file
      $0.names[id] = name
    }
    return stored
  }

  private func item(named id: String) throws -> ItemDetail? {
    try contents.withLock { contents in
      if contents.broken.contains(id) { throw Refusal.internalError }
      return contents.items[id]
    }
  }

  func item(_ id: String) async throws -> ItemDetail? { try item(named: id) }

  func episodes(of series: String, season: Int?) async throws -> [ItemDetail] {
    contents.withLock { contents in
      contents.items.values.filter {
        $0.seriesID == series && (season == nil || $0.seasonNumber == season)
      }.sorted { ($0.episodeNumber ?? 0) < ($1.episodeNumber ?? 0) }
    }
  }

  func file(_ id: MediaFileID) async throws -> ShelfFile? { contents.withLock { $0.files[id] } }

  func open(_ id: MediaFileID) async throws -> OpenAsset? {
    try asset(contents.withLock { $0.names[id] })
  }

  func openSubtitle(_ index: Int, of id: MediaFileID) async throws -> OpenAsset? {
    try asset("\(id).\(index).srt")
  }

  func openArtwork(_ kind: ArtworkKind, of item: String) async throws -> OpenAsset? {
    try asset(contents.withLock { $0.artwork["\(item)/\(kind.rawValue)"] })
  }

  func artworkKinds(of item: String) async throws -> Set<ArtworkKind> {
    contents.withLock { contents in
      Set(ArtworkKind.allCases.filter { contents.artwork["\(item)/\($0.rawValue)"] != nil })
    }
  }

  private func asset(_ name: String?) throws -> OpenAsset? {
    guard let name, let file = try MediaFolder(folder.url).open([name]) else { return nil }
    return OpenAsset(file: file, name: name)
  }
}
