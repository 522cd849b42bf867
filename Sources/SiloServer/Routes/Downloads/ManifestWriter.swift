import SiloContract
import SiloSystem

/// Makes the manifest of a row out of the catalog: no address in it is absolute or ends.
struct ManifestWriter: Sendable {
  let shelf: any MediaShelf
  let now: @Sendable () -> Int64

  /// The manifest of `row`; `nil` when its content is gone, or the profile may not see it.
  func manifest(of row: DownloadRow, _ viewer: Viewer) async throws -> OfflineManifest? {
    guard let item = try await shelf.item(row.episodeID ?? row.contentID),
      let file = try await file(of: row, item, viewer)
    else { return nil }
    let series = try await row.episodeID == nil ? nil : shelf.item(row.contentID)
    var manifest = OfflineManifest(of: row, generatedAt: Timestamp(seconds: now()))
    Self.describe(item, series, in: &manifest)
    let format = row.deliveryFormat ?? .original
    Self.describe(
      format == .original ? file.version : file.version.prepared(as: format), in: &manifest)
    manifest.artworkURLs = try await artwork(of: row)
    manifest.subtitles = file.subtitles.enumerated().map { index, subtitle in
      var entry = ManifestSubtitle(
        language: subtitle.language, format: subtitle.format,
        fetchURL: "/api/v1/downloads/\(row.id)/subtitles/\(SubtitleReference.external(index))")
      (entry.isForced, entry.isHearingImpaired) = (subtitle.isForced, subtitle.isHearingImpaired)
      entry.fileSize = subtitle.byteCount
      return entry
    }
    manifest.integrity = ManifestIntegrity(
      expectedByteCount: row.fileSize, mediaFileHash: file.hash,
      metadataTag: try Self.tag(row, file))
    return manifest
  }

  /// The file of the row, or else the first one that is there of the same item.
  func file(of row: DownloadRow, _ item: ItemDetail, _ viewer: Viewer) async throws -> ShelfFile? {
    let versions = item.versions
    let known = versions.first { $0.fileID == row.mediaFileID } ?? versions.first
    guard let known, viewer.maySee(known) else { return nil }
    return try await shelf.file(known.fileID)
  }

  private func artwork(of row: DownloadRow) async throws -> ArtworkURLs {
    var kinds = try await shelf.artworkKinds(of: row.contentID)
    if let episode = row.episodeID { kinds.formUnion(try await shelf.artworkKinds(of: episode)) }
    var urls = ArtworkURLs()
    for kind in kinds { urls[kind] = "/api/v1/downloads/\(row.id)/artwork/\(kind.rawValue)" }
    return urls
  }

  private static func describe(
    _ item: ItemDetail, _ series: ItemDetail?, in manifest: inout OfflineManifest
  ) {
    manifest.type = item.type
    (manifest.title, manifest.year) = (item.title, item.year)
    (manifest.overview, manifest.runtimeMinutes) = (item.overview, item.runtimeMinutes)
    manifest.contentRating = item.contentRating ?? series?.contentRating
    manifest.genres = [item.genres, series?.genres].compactMap { $0 }.first { !$0.isEmpty }
    (manifest.seriesID, manifest.seriesTitle) = (item.seriesID, item.seriesTitle ?? series?.title)
    (manifest.seasonNumber, manifest.episodeNumber) = (item.seasonNumber, item.episodeNumber)
    var identity = StableIdentity(item.type)
    identity.providerIDs = item.providerIDs
    identity.seriesProviderIDs = series?.providerIDs
    (identity.season, identity.episode) = (item.seasonNumber, item.episodeNumber)
    manifest.stableIdentity = identity
  }

  private static func describe(_ version: MediaVersion, in manifest: inout OfflineManifest) {
    manifest.container = version.container
    (manifest.videoCodec, manifest.audioCodec) = (version.videoCodec, version.audioCodec)
    (manifest.resolution, manifest.isHDR) = (version.resolution, version.isHDR ?? false)
    manifest.durationSeconds = version.durationSeconds
    let tracks = version.audioTracks ?? []
    manifest.audioTracks = tracks.isEmpty ? nil : tracks.enumerated().map(Self.track)
    manifest.selectedAudioTrackIndex =
      version.effectiveAudioTrackIndex ?? tracks.firstIndex { $0.isDefault == true }
      ?? (tracks.isEmpty ? nil : 0)
    manifest.chapters = version.chapters.flatMap { $0.isEmpty ? nil : $0.map(\.ofManifest) }
    manifest.intro = version.intro
  }

  private static func track(_ index: Int, _ source: VersionAudioTrack) -> ManifestAudioTrack {
    var track = ManifestAudioTrack(index: index)
    track.title = source.embeddedTitle ?? source.title
    (track.language, track.codec, track.layout) = (source.language, source.codec, source.layout)
    (track.channels, track.kilobitsPerSecond) = (source.channels, source.kilobitsPerSecond)
    (track.sampleRate, track.isDefault) = (source.sampleRate, source.isDefault ?? false)
    return track
  }

  /// Changes with the revision, the length, and the time of the source.
  private static func tag(_ row: DownloadRow, _ file: ShelfFile) throws -> String {
    let seconds = file.modifiedNanoseconds / 1_000_000_000
    let fraction = String(file.modifiedNanoseconds % 1_000_000_000)
    let parts: [String] = [
      row.id.text, String(row.revision), row.deliveryFormat?.rawValue ?? "",
      row.quality?.rawValue ?? "", row.effectiveQuality?.rawValue ?? "",
      String(row.targetKilobitsPerSecond ?? 0), String(row.fileSize ?? 0),
      "\(Timestamp(seconds: seconds))+\(fraction)",
    ]
    return try Digest.hex(of: Array(parts.joined(separator: "|").utf8))
  }
}

extension ItemDetail {
  /// The ids elsewhere; `nil` when there are none.
  var providerIDs: [String: String]? {
    let ids = ["imdb": imdbID, "tmdb": tmdbID, "tvdb": tvdbID].compactMapValues { $0 }
    return ids.isEmpty ? nil : ids
  }
}
