/// Where the artwork of a download is fetched: paths on the server, `nil` where there is no image.
package struct ArtworkURLs: Codable, Hashable, Sendable {
  /// The poster.
  package var poster: String?
  /// The wide image.
  package var backdrop: String?
  /// The title as an image.
  package var logo: String?

  private enum CodingKeys: String, CodingKey { case poster, backdrop, logo }

  /// No artwork.
  package init() {}

  /// The address of one kind.
  package subscript(kind: ArtworkKind) -> String? {
    get {
      switch kind {
      case .poster: poster
      case .backdrop: backdrop
      case .logo: logo
      }
    }
    set {
      switch kind {
      case .poster: poster = newValue
      case .backdrop: backdrop = newValue
      case .logo: logo = newValue
      }
    }
  }
}

/// The kinds of artwork that a download has.
package enum ArtworkKind: String, Codable, Hashable, Sendable, CaseIterable {
  /// The poster.
  case poster
  /// The wide image.
  case backdrop
  /// The title as an image.
  case logo
}

/// One chapter.
package struct ManifestChapter: Codable, Hashable, Sendable {
  /// The place among the chapters, from 0.
  package var index: Int
  /// The title.
  package var title: String?
  /// Where it begins, in seconds.
  package var startSeconds: Double
  /// Where it ends, in seconds.
  package var endSeconds: Double
  /// An image of it in 30 bytes, base64.
  package var thumbnailThumbhash: String?

  private enum CodingKeys: String, CodingKey {
    case index, title
    case startSeconds = "start_seconds"
    case endSeconds = "end_seconds"
    case thumbnailThumbhash = "thumbnail_thumbhash"
  }

  /// A chapter.
  package init(index: Int, title: String?, startSeconds: Double, endSeconds: Double) {
    self.index = index
    self.title = title
    self.startSeconds = startSeconds
    self.endSeconds = endSeconds
  }
}

/// A stretch of a film, in seconds.
package struct ManifestSpan: Codable, Hashable, Sendable {
  /// Where it begins.
  package var start: Double
  /// Where it ends.
  package var end: Double

  /// A stretch.
  package init(start: Double, end: Double) {
    self.start = start
    self.end = end
  }
}

/// What an item is beyond the ids of one server.
package struct StableIdentity: Codable, Hashable, Sendable {
  /// `movie` or `episode`.
  package var stableType: ContentKind?
  /// Ids at `imdb`, `tmdb`, `tvdb`.
  package var providerIDs: [String: String]?
  /// The same of the series of an episode.
  package var seriesProviderIDs: [String: String]?
  /// The season.
  package var season: Int?
  /// The episode within it.
  package var episode: Int?

  private enum CodingKeys: String, CodingKey {
    case stableType = "stable_type"
    case providerIDs = "provider_ids"
    case seriesProviderIDs = "series_provider_ids"
    case season, episode
  }

  /// An identity of which only the kind is known.
  package init(_ type: ContentKind) { stableType = type }
}

/// What the delivered file must be.
package struct ManifestIntegrity: Codable, Hashable, Sendable {
  /// The length in bytes; the source's, as long as a file is being prepared.
  @Always package var expectedByteCount: Int64?
  /// A digest of the source: 16 hexadecimal digits are an OSHash, 64 a SHA-256; others cannot be checked.
  package var mediaFileHash: String?
  /// Changes with revision, length and time of the source; not an entity tag of HTTP.
  package var metadataTag: String?

  private enum CodingKeys: String, CodingKey {
    case expectedByteCount = "expected_bytes"
    case mediaFileHash = "media_file_hash"
    case metadataTag = "metadata_etag"
  }

  /// What is known of the file.
  package init(expectedByteCount: Int64?, mediaFileHash: String?, metadataTag: String?) {
    self.expectedByteCount = expectedByteCount
    self.mediaFileHash = mediaFileHash
    self.metadataTag = metadataTag
  }
}

/// `GET /downloads/batches/{id}/manifests`: the manifests of a season.
package struct BatchManifests: Codable, Hashable, Sendable {
  /// A row without a manifest.
  package struct Skipped: Codable, Hashable, Sendable {
    /// The row.
    package var downloadID: DownloadID
    /// Why.
    package var reason: SkipReason?

    private enum CodingKeys: String, CodingKey {
      case downloadID = "download_id"
      case reason
    }

    /// A row and why it has no manifest.
    package init(downloadID: DownloadID, reason: SkipReason) {
      self.downloadID = downloadID
      self.reason = reason
    }
  }

  /// The manifests that could be read, in the order of registration.
  package var manifests: [OfflineManifest]
  /// What was left out; `nil` when nothing was.
  package var skipped: [Skipped]?

  private enum CodingKeys: String, CodingKey { case manifests, skipped }

  /// Manifests; an empty list of skipped rows is not sent.
  package init(manifests: [OfflineManifest], skipped: [Skipped] = []) {
    self.manifests = manifests
    self.skipped = skipped.isEmpty ? nil : skipped
  }
}
