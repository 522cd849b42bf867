/// Everything about one download that a device needs offline (spec, section 6; facts, sections 3 and 4).
///
/// What a device keeps are the server's own bytes; this is what it reads in them.
package struct OfflineManifest: Codable, Hashable, Sendable {
  /// The row.
  package var downloadID: DownloadID
  /// The film or the series.
  package var contentID: String
  /// The episode.
  package var episodeID: String?
  /// `movie` or `episode`.
  package var type: ContentKind?
  /// The revision of the row that this describes.
  package var revision: Int
  /// What was asked for.
  package var quality: Quality?
  /// What is delivered.
  package var effectiveQuality: Quality?
  /// How what is delivered was made.
  package var deliveryFormat: DeliveryFormat?
  /// The bit rate that a transcode stays below, in kbit/s.
  @Always package var targetKilobitsPerSecond: Int?
  /// The version.
  package var mediaFileID: MediaFileID?
  /// The length in bytes.
  @Always package var fileSize: Int64?

  /// The title of the film or the episode.
  package var title: String?
  /// The year it came out.
  package var year: Int?
  /// The plot.
  package var overview: String?
  /// The length in minutes, as catalogs have it.
  package var runtimeMinutes: Int?
  /// `PG-13`.
  package var contentRating: String?
  /// Genres by name.
  package var genres: [String]?
  /// The series of an episode.
  package var seriesID: String?
  /// Its title.
  package var seriesTitle: String?
  /// The season; 0 is the specials.
  package var seasonNumber: Int?
  /// The episode within it.
  package var episodeNumber: Int?

  /// A poster in 30 bytes, base64.
  package var posterThumbhash: String?
  /// A backdrop in 30 bytes, base64.
  package var backdropThumbhash: String?
  /// Where artwork is fetched, by kind; paths on the server.
  package var artworkURLs: ArtworkURLs

  /// `mkv`, `mp4`.
  @Always package var container: String?
  /// FFmpeg's name.
  @Always package var videoCodec: String?
  /// FFmpeg's name, of the selected track.
  @Always package var audioCodec: String?
  /// `2160p`, `1080p`.
  @Always package var resolution: String?
  /// Whether the source has HDR; says nothing of a transcode.
  package var isHDR: Bool?
  /// The length in seconds.
  @Always package var durationSeconds: Double?
  /// The track that the server would play, by its `index`.
  package var selectedAudioTrackIndex: Int?
  /// The audio tracks of the delivered file; `nil` when the server knows none.
  package var audioTracks: [ManifestAudioTrack]?

  /// The chapters; `nil` when there are none.
  package var chapters: [ManifestChapter]?
  /// The opening titles.
  package var intro: ManifestSpan?
  /// The closing titles.
  package var credits: ManifestSpan?
  /// What happened before.
  package var recap: ManifestSpan?
  /// What happens next.
  package var preview: ManifestSpan?

  /// Subtitle files beside the media; those inside an original are not listed.
  package var subtitles: [ManifestSubtitle]
  /// What to find the item by when its id changed.
  package var stableIdentity: StableIdentity?
  /// What the delivered file must be.
  package var integrity: ManifestIntegrity?
  /// 2 for servers of this contract.
  package var manifestVersion: Int?
  /// When this was written; it changes with every request.
  package var generatedAt: Timestamp?

  private enum CodingKeys: String, CodingKey {
    case downloadID = "download_id"
    case contentID = "content_id"
    case episodeID = "episode_id"
    case type, revision, quality
    case effectiveQuality = "effective_quality"
    case deliveryFormat = "delivery_format"
    case targetKilobitsPerSecond = "target_bitrate_kbps"
    case mediaFileID = "media_file_id"
    case fileSize = "file_size"
    case title, year, overview
    case runtimeMinutes = "runtime"
    case contentRating = "content_rating"
    case genres
    case seriesID = "series_id"
    case seriesTitle = "series_title"
    case seasonNumber = "season_number"
    case episodeNumber = "episode_number"
    case posterThumbhash = "poster_thumbhash"
    case backdropThumbhash = "backdrop_thumbhash"
    case artworkURLs = "artwork_urls"
    case container
    case videoCodec = "codec_video"
    case audioCodec = "codec_audio"
    case resolution
    case isHDR = "hdr"
    case durationSeconds = "duration_seconds"
    case selectedAudioTrackIndex = "selected_audio_track_index"
    case audioTracks = "audio_tracks"
    case chapters, intro, credits, recap, preview, subtitles
    case stableIdentity = "stable_identity"
    case integrity
    case manifestVersion = "manifest_version"
    case generatedAt = "generated_at"
  }

  /// The manifest of `row`, of which everything else is still to be told.
  package init(of row: DownloadRow, generatedAt: Timestamp) {
    downloadID = row.id
    contentID = row.contentID
    episodeID = row.episodeID
    revision = row.revision
    (quality, effectiveQuality) = (row.quality, row.effectiveQuality)
    deliveryFormat = row.deliveryFormat
    targetKilobitsPerSecond = row.targetKilobitsPerSecond
    mediaFileID = row.mediaFileID
    fileSize = row.fileSize
    artworkURLs = ArtworkURLs()
    (container, videoCodec, audioCodec, resolution) = (nil, nil, nil, nil)
    isHDR = false
    durationSeconds = nil
    subtitles = []
    manifestVersion = 2
    self.generatedAt = generatedAt
  }
}

/// What an item of a catalog is.
package struct ContentKind: OpenName {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  /// A film.
  package static let movie = ContentKind(rawValue: "movie")
  /// A series.
  package static let series = ContentKind(rawValue: "series")
  /// A season.
  package static let season = ContentKind(rawValue: "season")
  /// An episode.
  package static let episode = ContentKind(rawValue: "episode")
}
