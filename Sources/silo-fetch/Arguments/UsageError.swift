/// The command line, the environment or the configuration says something that cannot be done.
struct UsageError: Error, Equatable, CustomStringConvertible {
  /// What is wrong and what would be right.
  var description: String
  /// The command whose usage helps.
  var command: String?
  /// 2, or 7 when a configuration file is to blame.
  var exitCode: ExitCode

  /// A mistake in what was typed.
  init(_ description: String, command: String? = nil, exitCode: ExitCode = .usage) {
    self.description = description
    self.command = command
    self.exitCode = exitCode
  }
}
