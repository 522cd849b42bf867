extension CompletionScript {
  /// For bash, without the bash-completion package.
  static func bash(_ table: CommandTable) -> String {
    let commands = table.visibleCommands.map(\.name)
    var lines = [
      "# bash completion of \(table.program)",
      "_silo_fetch() {",
      "  local current=\"${COMP_WORDS[COMP_CWORD]}\" previous=\"${COMP_WORDS[COMP_CWORD-1]}\"",
      "  local command=\(table.defaultCommand) index",
      "  for ((index = 1; index < COMP_CWORD; index++)); do",
      "    case \"${COMP_WORDS[index]}\" in",
      "      \(commands.joined(separator: "|"))) command=\"${COMP_WORDS[index]}\"; break ;;",
      "    esac",
      "  done",
      "  COMPREPLY=()",
      "  case \"$previous\" in",
    ]
    for option in table.allOptions {
      guard case .value = option.kind else { continue }
      lines.append(
        "    \(names(option).joined(separator: "|"))) \(reply(option.completion)); return ;;")
    }
    lines += ["  esac", "  if [[ \"$current\" == -* ]]; then", "    case \"$command\" in"]
    for command in table.visibleCommands {
      let words = command.options.flatMap(names) + ["--help"]
      lines.append("      \(command.name)) \(reply(.words(words))) ;;")
    }
    lines += ["    esac", "    return", "  fi", "  case \"$command\" in"]
    for command in table.visibleCommands {
      let completion = command.arguments.first?.completion ?? .text
      lines.append("    \(command.name)) \(reply(completion)) ;;")
    }
    lines += [
      "  esac",
      "  if ((COMP_CWORD == 1)); then",
      "    COMPREPLY+=($(compgen -W '\(commands.joined(separator: " "))' -- \"$current\"))",
      "  fi",
      "}",
      "complete -o filenames -F _silo_fetch \(table.program)",
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  private static func reply(_ completion: Completion) -> String {
    switch completion {
    case .text: ":"
    case .words(let words):
      "COMPREPLY=($(compgen -W \(quoted(words.joined(separator: " "))) -- \"$current\"))"
    case .file: "mapfile -t COMPREPLY < <(compgen -f -- \"$current\")"
    case .folder: "mapfile -t COMPREPLY < <(compgen -d -- \"$current\")"
    }
  }
}
