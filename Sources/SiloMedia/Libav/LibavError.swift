import CFFmpeg

/// A libav call that failed: which, with what code, and the last lines that libav logged about it.
package struct LibavError: Error, Hashable, Sendable, CustomStringConvertible {
  /// libav's negative code.
  package let code: Int32
  /// What was being done, as a phrase: `opening the input`.
  package let operation: String
  /// The last lines of libav's log for this input or output.
  package let logLines: [String]

  /// Writing the head of a file, which says what its tracks are.
  static let headerOperation = "writing the header"

  /// A failure with `code` in `operation`.
  package init(code: Int32, operation: String, logLines: [String] = []) {
    self.code = code
    self.operation = operation
    self.logLines = logLines
  }

  /// libav's words for the code.
  package var reason: String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { text in
      text.initialize(repeating: 0)
      _ = av_strerror(code, text.baseAddress, 255)
      return text.baseAddress.map { String(cString: $0) } ?? "error \(code)"
    }
  }

  /// What was being done and why it failed.
  package var description: String { "\(operation): \(reason)" }

  /// The class of the failure for the user.
  package var mediaCode: MediaError.Code {
    switch code {
    case silo_averror_invaliddata, silo_averror_eof: .corrupt
    case silo_averror_stream_not_found: .notFound
    case silo_averror_patchwelcome: .unsupported
    case silo_averror(28): .noSpace
    case silo_averror(5): .inputOutput
    default: .internal
    }
  }

  /// The failure as the user sees it: what was done, to what, why, and libav's last line.
  package func mediaError(subject: String?) -> MediaError {
    if logLines.contains(where: { $0.contains("not on whitelist") }) {
      return MediaError(
        .unsupported, "This is no video, audio or subtitle file of a kind that is read here.",
        subject: subject, cause: self)
    }
    let detail = logLines.last.map { " (\($0))" } ?? ""
    if operation == Self.headerOperation, code == silo_averror(22) {
      return MediaError(
        .unsupported,
        "The container does not take what was chosen\(detail). Leave the track out, or ask for another container.",
        subject: subject, cause: self)
    }
    return MediaError(mediaCode, "\(description)\(detail)", subject: subject, cause: self)
  }
}
