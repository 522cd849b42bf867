import SiloSystem

import let Foundation.EDQUOT
import let Foundation.ENOSPC
import let Foundation.EPIPE

/// What it means that standard output could not be written.
enum OutputLoss {
  /// The code of a command that ended with `code`; a loss is told on stderr.
  ///
  /// What went wrong besides has the word: a lost line about it is the smaller harm.
  ///
  /// - Parameter isOfEvents: Whether the output tells of work that is done elsewhere: a reader that has heard enough of it
  ///   takes nothing away.
  static func code(
    _ code: ExitCode, _ surroundings: Surroundings, isOfEvents: Bool
  ) -> ExitCode {
    guard let failure = surroundings.output.failure else { return code }
    if failure == EPIPE { return code == .success && !isOfEvents ? .readerGone : code }
    surroundings.errors.line("error: \(text(failure))")
    guard code == .success else { return code }
    return failure == ENOSPC || failure == EDQUOT ? .space : .config
  }

  /// What is told while work goes on.
  static func warning(_ failure: Int32) -> String {
    failure == EPIPE
      ? "nobody reads standard output any more"
      : "standard output cannot be written (\(SystemCallError.reason(failure)))"
  }

  /// What is told at the end.
  static func text(_ failure: Int32) -> String {
    "standard output cannot be written (\(SystemCallError.reason(failure))): what was printed is not whole"
  }
}
