import Foundation
import SiloServer

/// A running server, as far as `serve` needs it.
protocol ServingMedia: Sendable {
  /// Where it answers, without a slash at the end.
  var address: String { get }
  /// Looks at the folder again.
  func rescan() async
  /// Stops after the running requests.
  func stop() async
}

extension MediaServer: ServingMedia {
  /// Where it answers, without a slash at the end, so that a path can follow.
  var address: String {
    let text = url.absoluteString
    return text.hasSuffix("/") ? String(text.dropLast()) : text
  }
}

extension ServeOptions {
  /// The server's own options.
  var serverOptions: MediaServer.Options {
    MediaServer.Options(
      folder: URL(filePath: folder, directoryHint: .isDirectory), host: host, port: port, log: log)
  }
}
