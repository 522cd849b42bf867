/// The help of the program and of each command, from the command table, at most 100 columns wide.
struct HelpText {
  /// What is explained.
  let table: CommandTable
  /// The widest line.
  var width = 100

  /// The help of the program: short names the commands, long adds the default command's options.
  func program(isLong: Bool) -> String {
    var lines = [table.abstract, ""]
    lines.append("Usage: \(table.program) [OPTIONS] SOURCE...")
    lines.append("       \(table.program) COMMAND [OPTIONS] [ARGUMENTS]")
    lines += ["", "Commands:"]
    lines += table.visibleCommands.flatMap { row($0.name, $0.abstract, column: 14) }
    if let command = table.command(named: table.defaultCommand) {
      lines += ["", "Examples:"] + examples(command)
      if isLong { lines += options(command, isLong: true) + Self.exitCodes }
    }
    lines += [
      "",
      "'\(table.program) COMMAND --help' explains a command; -h is short, --help long; --version the version.",
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  /// The help of `command`.
  func command(_ command: Command, isLong: Bool) -> String {
    var lines = wrapped(
      command.abstract.prefix(1).uppercased() + command.abstract.dropFirst() + ".")
    lines.append("")
    for (index, usage) in command.usage.enumerated() {
      lines.append("\(index == 0 ? "Usage:" : "      ") \(table.program) \(usage)")
    }
    if isLong { for text in command.discussion { lines += [""] + wrapped(text) } }
    if !command.arguments.isEmpty {
      lines += ["", "Arguments:"]
      lines += command.arguments.flatMap { row($0.name, $0.help, column: 14) }
    }
    lines += options(command, isLong: isLong)
    if !command.examples.isEmpty { lines += ["", "Examples:"] + examples(command) }
    if isLong, command.name == table.defaultCommand { lines += Self.exitCodes }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The usage lines that follow a mistake.
  func usage(_ command: Command?) -> String {
    let name = command.map { "\($0.name) " } ?? ""
    let shape = command?.usage.first ?? "[OPTIONS] SOURCE..."
    return "Usage: \(table.program) \(shape)\nTry '\(table.program) \(name)--help'.\n"
  }

  private func options(_ command: Command, isLong: Bool) -> [String] {
    var lines: [String] = []
    for section in CommandOption.Section.allCases {
      let members = command.options.filter { $0.section == section }
      if members.isEmpty { continue }
      lines += ["", "\(section.rawValue):"]
      for option in members {
        let more = isLong ? option.discussion.map { ". " + $0 } ?? "" : ""
        lines += row(spelling(option), option.help + more, column: 30)
      }
    }
    if isLong, !command.options.isEmpty {
      lines += [""]
      lines += wrapped(
        """
        Each option is also an environment variable (--max-size: SILO_FETCH_MAX_SIZE) and a key of \
        $XDG_CONFIG_HOME/silo-fetch/config (max-size = 4G); the option wins over the variable, the variable \
        over the file.
        """)
    }
    return lines
  }

  /// `-a, --audio LIST`.
  func spelling(_ option: CommandOption) -> String {
    let short = option.letter.map { "-\($0), " } ?? "    "
    let value = if case .value(let name) = option.kind { " \(name)" } else { "" }
    return "\(short)--\(option.name)\(value)"
  }

  private func examples(_ command: Command) -> [String] {
    command.examples.flatMap { ["  \($0.line)"] + wrapped($0.text, indent: 6) }
  }

  private func row(_ name: String, _ text: String, column: Int) -> [String] {
    var lines = wrapped(text, indent: column + 2)
    if name.count + 3 > column {
      lines.insert("  \(name)", at: 0)
    } else if let first = lines.first {
      lines[0] =
        "  " + name + String(repeating: " ", count: column - name.count)
        + first.drop { $0 == " " }
    }
    return lines
  }

  private func wrapped(_ text: String, indent: Int = 0) -> [String] {
    let margin = String(repeating: " ", count: indent)
    var lines: [String] = []
    var line = ""
    for word in text.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
      if !line.isEmpty, indent + line.count + 1 + word.count > width {
        lines.append(margin + line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    return lines + [margin + line]
  }

  private static let exitCodes = [
    "", "Exit codes:",
    "  0 done   1 some items failed   2 usage   3 not found   4 sign-in   5 temporary",
    "  6 all failed, for different reasons   7 configuration or output   8 integrity   9 space",
    "  10 not available   11 locked   12 unsupported media   130 interrupted   143 terminated",
  ]
}
