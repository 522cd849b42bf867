import SiloStore

/// The tables of the catalog.
enum CatalogTables {
  /// Raised when what a look inside finds becomes another: files are looked into again then.
  static let look: Int64 = 1

  static let migrations = [
    Migration(
      "catalog",
      """
      CREATE TABLE catalog_item (
        content_id TEXT PRIMARY KEY,
        key TEXT NOT NULL UNIQUE
      ) STRICT;
      CREATE TABLE catalog_file (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        path TEXT NOT NULL UNIQUE,
        byte_count INTEGER NOT NULL,
        modified INTEGER NOT NULL,
        inode INTEGER NOT NULL,
        owner TEXT,
        failure TEXT,
        hash TEXT,
        container TEXT,
        width INTEGER,
        height INTEGER,
        video_codec TEXT,
        audio_codec TEXT,
        channels INTEGER,
        is_hdr INTEGER NOT NULL,
        duration INTEGER,
        inventory BLOB,
        look INTEGER NOT NULL,
        gone INTEGER
      ) STRICT
      """)
  ]

  /// The columns of a file but for its inventory, in the order of `media(in:)`.
  static let columns = """
    id, path, byte_count, modified, inode, owner, failure, hash, container, width, height, video_codec, audio_codec,
    channels, is_hdr, duration, gone
    """

  /// The file of the statement's row.
  static func media(in row: borrowing Statement) -> StoredMedia? {
    guard let id = row.integer(0), let path = row.text(1), let byteCount = row.integer(2),
      let modified = row.integer(3), let inode = row.integer(4)
    else { return nil }
    var summary = MediaSummary()
    summary.container = row.text(8)
    summary.width = row.integer(9).map { Int($0) }
    summary.height = row.integer(10).map { Int($0) }
    summary.videoCodec = row.text(11)
    summary.audioCodec = row.text(12)
    summary.audioChannels = row.integer(13).map { Int($0) }
    summary.isHDR = row.integer(14) == 1
    summary.durationMilliseconds = row.integer(15)
    return StoredMedia(
      id: id, path: path, byteCount: byteCount, modified: modified,
      inode: UInt64(bitPattern: inode), ownerID: row.text(5), failure: row.text(6),
      openSubtitlesHash: row.text(7), summary: summary, gone: row.integer(16))
  }
}
