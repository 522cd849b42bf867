/// What the owner of a server allows.
package struct DownloadLimits: Sendable, Hashable {
  /// Whether downloads are offered at all.
  package var areEnabled = true
  /// How many rows of one account may be under way; `nil` for any number.
  package var mostConcurrent: Int? = 3
  /// How many rows one account may register in a period; `nil` for any number.
  package var quota: Int?
  /// The length of the period, in seconds.
  package var quotaPeriodSeconds: Int64 = 24 * 3600
  /// Accounts that may not download, by name.
  package var denied: Set<String> = []
  /// Accounts that may not have files made for them, by name.
  package var deniedTranscoding: Set<String> = []
  /// Whether files below the source's quality may be made.
  package var transcodes = true

  /// The limits of a server that nobody told any.
  package init() {}

  /// Whether the account called `name` may download.
  package func mayDownload(_ name: String) -> Bool {
    !denied.contains { $0.lowercased() == name.lowercased() }
  }

  /// Whether the account called `name` may have files made.
  package func mayTranscode(_ name: String) -> Bool {
    !deniedTranscoding.contains { $0.lowercased() == name.lowercased() }
  }
}
