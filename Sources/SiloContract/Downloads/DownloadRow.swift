/// One download as the server keeps it (spec, section 5; facts, 1.3).
package struct DownloadRow: Codable, Hashable, Sendable {
  /// The durable key.
  package var id: DownloadID
  /// The film or the series.
  package var contentID: String
  /// The episode, for rows of a series.
  package var episodeID: String?
  /// What the rows of one season share.
  package var batchID: BatchID?
  /// The device that the row belongs to; `nil` for a row of the account alone.
  package var deviceID: String?
  /// The version that was chosen; `nil` when the server did not say.
  package var mediaFileID: MediaFileID?
  /// The length in bytes, an estimate while it is being prepared.
  @Always package var fileSize: Int64?
  /// The bytes that were sent; `nil` (sent as 0) for every row of a device.
  @Always package var bytesSent: Int64?
  /// `queued`, always.
  package var kind: String?
  /// Where the row is in its life.
  package var status: DownloadStatus
  /// What was asked for.
  package var quality: Quality?
  /// What is delivered.
  package var effectiveQuality: Quality?
  /// How what is delivered was made.
  package var deliveryFormat: DeliveryFormat?
  /// The bit rate that a transcode stays below, in kbit/s; `nil` (sent as 0) for others.
  @Always package var targetKilobitsPerSecond: Int?
  /// Rises when the row gets another target: what a device holds is stale then.
  package var revision: Int
  /// When it was registered.
  package var createdAt: Timestamp?
  /// When the device said that it holds everything.
  package var completedAt: Timestamp?

  private enum CodingKeys: String, CodingKey {
    case id
    case contentID = "content_id"
    case episodeID = "episode_id"
    case batchID = "batch_id"
    case deviceID = "device_id"
    case mediaFileID = "media_file_id"
    case fileSize = "file_size"
    case bytesSent = "bytes_sent"
    case kind, status, quality
    case effectiveQuality = "effective_quality"
    case deliveryFormat = "delivery_format"
    case targetKilobitsPerSecond = "target_bitrate_kbps"
    case revision
    case createdAt = "created_at"
    case completedAt = "completed_at"
  }

  /// A row of an original that is ready, at its first revision.
  package init(
    id: DownloadID, contentID: String, mediaFileID: MediaFileID, fileSize: Int64,
    createdAt: Timestamp
  ) {
    self.id = id
    self.contentID = contentID
    self.mediaFileID = mediaFileID
    self.fileSize = fileSize
    self.createdAt = createdAt
    bytesSent = nil
    kind = "queued"
    status = .ready
    (quality, effectiveQuality, deliveryFormat) = (.original, .original, .original)
    targetKilobitsPerSecond = nil
    revision = 1
  }
}

/// `GET /downloads`: all rows of a device, or of the account without one.
package struct DownloadList: Codable, Hashable, Sendable {
  /// The rows, newest first.
  package var downloads: [DownloadRow]
  /// How many rows could not be read: while there are any, a row that is not listed may still be there.
  package var unreadableCount = 0

  private enum CodingKeys: String, CodingKey { case downloads }

  /// A list of rows.
  package init(_ downloads: [DownloadRow]) { self.downloads = downloads }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    // Something else than a list must not pass for an empty one.
    let rows =
      try container.decodeNil(forKey: .downloads)
      ? nil : container.decode(ReadableElements<DownloadRow>.self, forKey: .downloads)
    downloads = rows?.elements ?? []
    unreadableCount = rows?.unreadableCount ?? 0
  }
}
