import SiloDownloads
import SiloSystem

/// How a command that runs no items says that it failed.
enum CommandFailure {
  /// Tells it, as a person or a script expects it, and returns its exit code.
  static func tell(
    _ error: any Error, _ display: DisplayOptions, _ surroundings: Surroundings
  ) -> ExitCode {
    let failure = Failure(error)
    if display.isJSON {
      surroundings.output.line(JSONLine.text(EventJSON.failed(id: nil, source: nil, failure)))
    }
    let word = surroundings.terminal(display.color).styled("error", .red)
    surroundings.errors.line("\(word): \(Redaction.printable(failure.message))")
    return ExitCode(failure.code)
  }
}
