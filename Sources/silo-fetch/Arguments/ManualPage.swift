/// The manual page in roff, from the command table.
struct ManualPage {
  /// What is described.
  let table: CommandTable

  /// The page, section 1.
  var text: String {
    var lines = [
      ".TH \(escaped(table.program).uppercased()) 1 \"\" \"\(Version.line)\" \"User Commands\"",
      ".SH NAME", "\(escaped(table.program)) \\- \(escaped(table.abstract))", ".SH SYNOPSIS",
    ]
    for command in table.visibleCommands {
      for usage in command.usage {
        lines += [".B \(escaped(table.program))", escaped(usage), ".br"]
      }
    }
    for command in table.visibleCommands { lines += section(command) }
    lines += [
      ".SH EXIT STATUS",
      escaped(
        """
        0 done; 1 some items failed; 2 usage; 3 not found; 4 sign-in; 5 temporary; 6 all failed, for \
        different reasons; 7 configuration or output; 8 integrity; 9 space; 10 not available; 11 locked; \
        12 unsupported media; 130 interrupted; 143 terminated.
        """),
      ".SH FILES", "$XDG_CONFIG_HOME/silo\\-fetch/config",
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  private func section(_ command: Command) -> [String] {
    var lines = [".SH \(escaped(command.name).uppercased())", escaped(command.abstract) + "."]
    for paragraph in command.discussion { lines += [".PP", escaped(paragraph)] }
    for option in command.options {
      let names = CompletionScript.names(option).map(escaped).joined(separator: ", ")
      let value = if case .value(let name) = option.kind { " \\fI\(escaped(name))\\fR" } else { "" }
      let more = option.discussion.map { ". " + $0 } ?? ""
      lines += [".TP", "\\fB\(names)\\fR\(value)", escaped(option.help + more)]
    }
    for example in command.examples {
      lines += [".PP", escaped(example.text) + ":", ".PP", ".nf", escaped(example.line), ".fi"]
    }
    return lines
  }

  /// Backslashes and hyphens as roff wants them; a leading dot or quote would be a request.
  private func escaped(_ text: String) -> String {
    let safe = text.map { character in
      switch character {
      case "\\": "\\e"
      case "-": "\\-"
      case "\n": " "
      default: String(character)
      }
    }.joined()
    return safe.hasPrefix(".") || safe.hasPrefix("'") ? "\\&" + safe : safe
  }
}
