extension CompletionScript {
  /// For zsh, through `_arguments`.
  static func zsh(_ table: CommandTable) -> String {
    let commands = table.visibleCommands
    var lines = [
      "#compdef \(table.program)",
      "_silo_fetch() {",
      "  local -a commands",
      "  local command=\(table.defaultCommand) word",
      "  commands=(",
    ]
    lines += commands.map { "    \(quoted("\($0.name):\(escaped($0.abstract))"))" }
    lines += [
      "  )",
      "  for word in \"${(@)words[2,CURRENT-1]}\"; do",
      "    if (( ${commands[(I)$word:*]} )); then command=$word; break; fi",
      "  done",
      "  if (( CURRENT == 2 )) && [[ $PREFIX != -* ]]; then",
      "    _describe -t commands command commands",
      "  fi",
      "  case $command in",
    ]
    for command in commands {
      lines.append("    \(command.name))")
      lines.append("      _arguments -s -S \\")
      for option in command.options { lines.append("        \(specification(option)) \\") }
      lines.append("        '(- *)--help[print help]' \\")
      let argument = command.arguments.first
      let name = argument?.name ?? "argument"
      lines.append("        \(quoted("*:\(name):\(action(argument?.completion ?? .text))"))")
      lines.append("      ;;")
    }
    lines += [
      "  esac",
      "}",
      "if [[ $funcstack[1] == _silo_fetch ]]; then _silo_fetch \"$@\"; else compdef _silo_fetch \(table.program); fi",
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  private static func specification(_ option: CommandOption) -> String {
    var value = ""
    var (short, long) = (option.letter.map { "-\($0)" }, "--\(option.name)")
    if case .value(let name) = option.kind {
      value = ":\(escaped(name)):\(action(option.completion))"
      short = short.map { $0 + "+" }
      long += "="
    }
    let text = quoted("[\(escaped(option.help))]\(value)")
    let exclusion = option.repeats ? "*" : "(\(names(option).joined(separator: " ")))"
    guard let short else { return quoted(exclusion) + quoted(long) + text }
    return "\(quoted(exclusion)){\(short),\(long)}\(text)"
  }

  private static func action(_ completion: Completion) -> String {
    switch completion {
    case .text: " "
    case .words(let words): "(\(words.joined(separator: " ")))"
    case .file: "_files"
    case .folder: "_files -/"
    }
  }

  private static func escaped(_ text: String) -> String {
    text.map { ":[]\\".contains($0) ? "\\\($0)" : String($0) }.joined()
  }
}
