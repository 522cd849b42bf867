import SiloDownloads

/// What the commands need of the downloads library; a test puts a scripted one in its place.
protocol Downloading: Sendable {
  /// What the source holds and what the wishes choose.
  func inspect(_ request: DownloadRequest) async throws -> Inspection
  /// Downloads; `nil` when it was finished before.
  func run(
    _ request: DownloadRequest, events: @escaping @Sendable (DownloadEvent) -> Void
  ) async throws -> FinishedDownload?
}

extension Downloader: Downloading {}
extension SiloDownloader: Downloading {}
