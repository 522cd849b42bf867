/// Where a download row is in its life.
package struct DownloadStatus: OpenName {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  /// Waits for its first byte; rows without a device only.
  package static let queued = DownloadStatus(rawValue: "queued")
  /// The server still makes the file.
  package static let preparing = DownloadStatus(rawValue: "preparing")
  /// The file can be fetched.
  package static let ready = DownloadStatus(rawValue: "ready")
  /// The device said that it fetches.
  package static let downloading = DownloadStatus(rawValue: "downloading")
  /// The device said that it holds everything; the file can be fetched again.
  package static let completed = DownloadStatus(rawValue: "completed")
  /// Given up by the user; rows without a device only.
  package static let cancelled = DownloadStatus(rawValue: "cancelled")
  /// The server could not make the file.
  package static let failed = DownloadStatus(rawValue: "failed")
  /// The server does not serve it any more; what a device holds stays.
  package static let revoked = DownloadStatus(rawValue: "revoked")
}
