/// Where a download stands.
public enum DownloadPhase: String, Sendable, Hashable, Codable {
  /// Waiting for its turn.
  case waiting
  /// The source is being looked into.
  case preparing
  /// Bytes are arriving.
  case transferring
  /// Length, digest and structure are being checked.
  case verifying
  /// The chosen tracks are being written into one file.
  case packaging
  /// The file has its name.
  case finished
  /// Stopped by the user.
  case paused
  /// It failed.
  case failed
}
