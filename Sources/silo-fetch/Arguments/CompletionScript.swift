/// Completion scripts of the shells, from the command table.
enum CompletionScript {
  /// The script for `shell`.
  static func text(_ shell: String, _ table: CommandTable) throws(UsageError) -> String {
    switch shell {
    case "bash": return bash(table)
    case "zsh": return zsh(table)
    case "fish": return fish(table)
    default:
      throw UsageError(
        "there is no completion for '\(shell)'; the shells are bash, zsh, fish",
        command: "completion")
    }
  }

  /// `-a` and `--audio`.
  static func names(_ option: CommandOption) -> [String] {
    (option.letter.map { ["-\($0)"] } ?? []) + ["--\(option.name)"]
  }

  /// In single quotes for a POSIX shell.
  static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      + "'"
  }
}
