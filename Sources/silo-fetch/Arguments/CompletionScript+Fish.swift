extension CompletionScript {
  /// For fish.
  static func fish(_ table: CommandTable) -> String {
    let program = table.program
    let commands = table.visibleCommands
    let others = commands.map(\.name).filter { $0 != table.defaultCommand }.joined(separator: " ")
    var lines = ["# fish completion of \(program)"]
    for command in commands {
      lines.append(
        "complete -c \(program) -n __fish_use_subcommand -a \(command.name) -d \(fishQuoted(command.abstract))"
      )
    }
    for command in commands {
      let condition =
        command.name == table.defaultCommand
        ? "not __fish_seen_subcommand_from \(others)"
        : "__fish_seen_subcommand_from \(command.name)"
      let start = "complete -c \(program) -n \(fishQuoted(condition))"
      for option in command.options {
        let short = option.letter.map { " -s \($0)" } ?? ""
        lines.append(
          "\(start)\(short) -l \(option.name)\(value(option)) -d \(fishQuoted(option.help))")
      }
      lines.append("\(start) -l help -d 'print help'")
      if case .words(let words)? = command.arguments.first?.completion {
        lines.append("\(start) -f -a \(fishQuoted(words.joined(separator: " ")))")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func value(_ option: CommandOption) -> String {
    guard case .value = option.kind else { return "" }
    switch option.completion {
    case .text: return " -x"
    case .words(let words): return " -x -a \(fishQuoted(words.joined(separator: " ")))"
    case .file: return " -r -F"
    case .folder: return " -x -a '(__fish_complete_directories)'"
    }
  }

  /// In single quotes, inside which fish knows `\'` and `\\`.
  private static func fishQuoted(_ text: String) -> String {
    "'" + text.map { $0 == "'" || $0 == "\\" ? "\\\($0)" : String($0) }.joined() + "'"
  }
}
