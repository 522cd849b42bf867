/// What `POST /downloads` answers: one row, or the rows of a season.
package enum CreateAnswer: Codable, Hashable, Sendable {
  /// One film or episode.
  case single(DownloadRow)
  /// A season or a series.
  case batch(DownloadBatch)

  private enum CodingKeys: String, CodingKey { case downloads }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self =
      container.contains(.downloads)
      ? .batch(try DownloadBatch(from: decoder)) : .single(try DownloadRow(from: decoder))
  }

  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .single(let row): try row.encode(to: encoder)
    case .batch(let batch): try batch.encode(to: encoder)
    }
  }
}

/// The rows of one season or series.
package struct DownloadBatch: Codable, Hashable, Sendable {
  /// An episode for which no row was made.
  package struct Skipped: Codable, Hashable, Sendable {
    /// The episode.
    package var episodeID: String
    /// Why; `no_file`, and whatever servers add.
    package var reason: SkipReason?

    private enum CodingKeys: String, CodingKey {
      case episodeID = "episode_id"
      case reason
    }

    /// An episode and why it was left out.
    package init(episodeID: String, reason: SkipReason) {
      self.episodeID = episodeID
      self.reason = reason
    }
  }

  /// The rows.
  package var downloads: [DownloadRow]
  /// What was left out; `nil` when nothing was.
  package var skipped: [Skipped]?

  private enum CodingKeys: String, CodingKey { case downloads, skipped }

  /// A batch; an empty list of skipped episodes is not sent.
  package init(downloads: [DownloadRow], skipped: [Skipped] = []) {
    self.downloads = downloads
    self.skipped = skipped.isEmpty ? nil : skipped
  }

  /// A row that cannot be read is an error: nothing may be missing from a season unnoticed.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let rows = try container.decode(Rows.self, forKey: .downloads)
    downloads = rows.rows
    skipped = try container.decodeIfPresent([Skipped].self, forKey: .skipped)
  }

  private struct Rows: Decodable {
    let rows: [DownloadRow]
    init(from decoder: any Decoder) throws {
      rows = try [DownloadRow](from: decoder)
    }
  }
}

/// Why an episode has no row, or a row no manifest.
package struct SkipReason: OpenName {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  /// The episode has no file.
  package static let noFile = SkipReason(rawValue: "no_file")
  /// The row is revoked.
  package static let revoked = SkipReason(rawValue: "revoked")
  /// The row or its content is gone, or the profile may not see it.
  package static let notFound = SkipReason(rawValue: "not_found")
  /// The server failed; asking again may help.
  package static let error = SkipReason(rawValue: "error")
}
