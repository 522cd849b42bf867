import Foundation

/// Media made for tests by the ffmpeg program.
package enum Media {
  private static let turnstile = Turnstile(ProcessInfo.processInfo.activeProcessorCount)

  /// Runs ffmpeg with `arguments`, quietly, replacing what is there.
  ///
  /// - Throws: `CommandFailure` with what it said when it fails.
  package static func make(_ arguments: [String], in folder: String? = nil) async throws {
    try await turnstile.pass {
      _ = try await runSuccessfully(
        "ffmpeg", ["-v", "error", "-nostdin", "-y", "-threads", "1"] + arguments, in: folder)
    }
  }

  /// Runs ffmpeg with arguments that spaces part.
  package static func make(_ arguments: String, in folder: String? = nil) async throws {
    try await make(arguments.split(separator: " ").map(String.init), in: folder)
  }
}
