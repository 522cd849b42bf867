/// What the database holds of one file: who it is, and what a look inside found.
struct StoredMedia: Hashable, Sendable {
  /// The number of the file; for ever.
  var id: Int64
  /// The absolute path.
  var path: String
  var byteCount: Int64
  /// When it was last changed, in nanoseconds since 1970.
  var modified: Int64
  var inode: UInt64
  /// The film or episode that it was of.
  var ownerID: String?
  /// Why it counts for nothing: it could not be read, or is no media.
  var failure: String?
  /// OpenSubtitles' hash.
  var openSubtitlesHash: String?
  var summary = MediaSummary()
  /// Since when it is gone, in seconds since 1970; `nil` while it is there.
  var gone: Int64?

  /// Whether what was found inside is that of the file as it is now.
  func isOf(_ file: FoundFile) -> Bool {
    byteCount == file.byteCount && modified == file.modified
  }
}
