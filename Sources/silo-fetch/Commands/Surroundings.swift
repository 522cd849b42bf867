import Foundation
import SiloDownloads
import SiloServer
import SiloSystem

/// What a command finds around it, so that tests can put something else there.
struct Surroundings: Sendable {
  /// Data.
  var output: TextSink
  /// Everything else.
  var errors: TextSink
  /// The environment variables.
  var environment: [String: String]
  /// The terminal behind `errors`, for the wished colours.
  var terminal: @Sendable (DisplayOptions.Color) -> Terminal
  /// The terminal behind `output`.
  var outputTerminal: @Sendable (DisplayOptions.Color) -> Terminal
  /// The text of a file; of a list, `-` is stdin.
  var read: @Sendable (String, TextFile.Kind) throws -> String
  /// The next line of stdin, without its end; `nil` when there is none.
  var inputLine: @Sendable () async -> String?
  /// Why a file cannot be used; `nil` when it can.
  var fault: @Sendable (String) -> TextFile.Fault?
  /// Whether there is a file.
  var exists: @Sendable (String) -> Bool
  /// What downloads.
  var downloader: @Sendable (HTTPOptions) -> any Downloading
  /// What is wanted, and what became of it.
  var queue: @Sendable () -> DownloadQueue = { DownloadQueue() }
  /// What is stored.
  var library: @Sendable () -> OfflineLibrary = { OfflineLibrary() }
  /// Starts what serves.
  var server: @Sendable (ServeOptions, ServeOptions.Secrets) async throws -> any ServingMedia

  /// Those of the process.
  static func process() -> Surroundings {
    let environment = ProcessInfo.processInfo.environment
    return Surroundings(
      output: .standardOutput, errors: .standardError, environment: environment,
      terminal: { Terminal(descriptor: STDERR_FILENO, environment: environment, color: $0) },
      outputTerminal: { Terminal(descriptor: STDOUT_FILENO, environment: environment, color: $0) },
      read: { try TextFile.read($0, $1) },
      inputLine: { try? await onOwnThread(named: "stdin") { _ in readLine() } },
      fault: { TextFile.fault(of: $0) },
      exists: { FileManager.default.fileExists(atPath: $0) },
      downloader: { Downloader($0) },
      server: {
        try await MediaServer.start($0.serverOptions($1, environment: environment))
      })
  }
}
