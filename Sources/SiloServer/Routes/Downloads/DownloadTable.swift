import SiloContract
import SiloStore

/// The table of registered downloads: rows of a device, and rows of an account alone.
enum DownloadTable {
  static let migration = Migration(
    "downloads",
    """
    CREATE TABLE sequence (name TEXT PRIMARY KEY, last INTEGER NOT NULL) STRICT;
    CREATE TABLE download (
      id INTEGER PRIMARY KEY, account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
      profile_id TEXT REFERENCES profile ON DELETE CASCADE, device_id TEXT,
      content_id TEXT NOT NULL, episode_id TEXT, batch_id TEXT, file_id INTEGER NOT NULL,
      file_size INTEGER NOT NULL, bytes_sent INTEGER NOT NULL DEFAULT 0, status TEXT NOT NULL,
      quality TEXT NOT NULL, effective_quality TEXT NOT NULL, format TEXT NOT NULL,
      kilobits INTEGER NOT NULL, revision INTEGER NOT NULL, created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL, completed_at INTEGER
    ) STRICT;
    CREATE UNIQUE INDEX download_managed
      ON download (account_id, profile_id, device_id, content_id, coalesce(episode_id, ''))
      WHERE device_id IS NOT NULL;
    CREATE INDEX download_account ON download (account_id, device_id, profile_id, created_at);
    CREATE INDEX download_batch ON download (batch_id) WHERE batch_id IS NOT NULL;
    """)

  /// When the source was last changed, in nanoseconds since 1970: with another time it is another version.
  static let sourceTime = Migration(
    "download-source-time", "ALTER TABLE download ADD COLUMN file_modified INTEGER;")

  static let columns = """
    id, content_id, episode_id, batch_id, device_id, file_id, file_size, bytes_sent, status, \
    quality, effective_quality, format, kilobits, revision, created_at, completed_at
    """

  /// The row that `statement` stands at, whose columns are `columns`.
  static func row(_ statement: borrowing Statement) -> DownloadRow? {
    guard let id = statement.integer(0).flatMap({ DownloadID(String($0)) }),
      let content = statement.text(1), let file = statement.integer(5),
      let size = statement.integer(6), let status = statement.text(8),
      let revision = statement.integer(13), let created = statement.integer(14)
    else { return nil }
    var row = DownloadRow(
      id: id, contentID: content, mediaFileID: MediaFileID(file), fileSize: size,
      createdAt: Timestamp(seconds: created))
    row.episodeID = statement.text(2)
    row.batchID = statement.text(3).flatMap { BatchID($0) }
    row.deviceID = statement.text(4)
    row.bytesSent = statement.integer(7)
    row.status = DownloadStatus(rawValue: status)
    row.quality = statement.text(9).map(Quality.init)
    row.effectiveQuality = statement.text(10).map(Quality.init)
    row.deliveryFormat = statement.text(11).map(DeliveryFormat.init)
    row.targetKilobitsPerSecond = statement.integer(12).map { Int($0) }
    row.revision = Int(revision)
    row.completedAt = statement.integer(15).map { Timestamp(seconds: $0) }
    return row
  }

  /// The rows that a condition names.
  static func rows(
    where condition: String, _ values: [StoreValue], in connection: borrowing Connection
  ) throws -> [DownloadRow] {
    let statement = try connection.prepare("SELECT \(columns) FROM download WHERE \(condition)")
    try statement.bind(values)
    var rows: [DownloadRow] = []
    while try statement.step() {
      if let row = row(statement) { rows.append(row) }
    }
    return rows
  }

  /// The next number of a sequence: never one that was given before, even when its row is gone.
  static func next(
    _ name: String, _ now: Int64, in connection: borrowing Connection
  ) throws -> Int64 {
    let (first, _) = max(now, 0).multipliedReportingOverflow(by: 1 << 20)
    let rows = try connection.rows(
      """
      INSERT INTO sequence (name, last) VALUES (?, ?)
      ON CONFLICT (name) DO UPDATE SET last = max(last + 1, excluded.last) RETURNING last
      """, [.text(name), .integer(first)])
    guard case .integer(let number)? = rows.first?.first else { throw Refusal.internalError }
    return number
  }
}
