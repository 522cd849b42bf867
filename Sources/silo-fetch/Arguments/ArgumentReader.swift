/// Reads the words of a command line against the command table; no file, terminal or environment is looked at.
struct ArgumentReader {
  /// What the words ask for.
  enum Reading: Equatable, Sendable {
    /// Run a command.
    case run(Invocation)
    /// Print help: of one command or of the program, short or long.
    case help(command: String?, isLong: Bool)
    /// Print the version.
    case version
  }

  /// A command with what was given to it.
  struct Invocation: Equatable, Sendable {
    /// The command's name.
    var command: String
    /// Whether the command was named, rather than taken as the default.
    var isNamed: Bool
    /// The options in the order in which they were given.
    var options: [Given] = []
    /// The positional arguments.
    var arguments: [String] = []
  }

  /// An option that was given.
  struct Given: Equatable, Sendable {
    /// Its long name.
    var name: String
    /// Its value; of a flag `true` or `false`.
    var value: String
  }

  /// What may be said.
  let table: CommandTable

  private enum Word {
    case option(Given)
    case positional(String, isProtected: Bool)
    case help(isLong: Bool)
    case version
  }

  /// Reads `words`, the program's name not among them.
  func read(_ words: [String]) throws(UsageError) -> Reading {
    var parsed: [Word] = []
    var rest = words[...]
    let likelyCommand = words.first { table.command(named: $0) != nil }
    while let word = rest.popFirst() {
      if word == "--" {
        parsed += rest.map { .positional($0, isProtected: true) }
        break
      } else if word.hasPrefix("--") {
        parsed.append(try long(word, &rest, command: likelyCommand))
      } else if word.hasPrefix("-"), word.count > 1 {
        parsed += try short(word, &rest, command: likelyCommand)
      } else {
        parsed.append(.positional(word, isProtected: false))
      }
    }
    return try assemble(parsed)
  }

  private func assemble(_ parsed: [Word]) throws(UsageError) -> Reading {
    var invocation = Invocation(command: table.defaultCommand, isNamed: false)
    var help: Bool?
    var wantsVersion = false
    var isFirst = true
    for word in parsed {
      switch word {
      case .help(let isLong): help = (help ?? false) || isLong
      case .version: wantsVersion = true
      case .option(let given): invocation.options.append(given)
      case .positional(let text, let isProtected):
        if isFirst, !isProtected, table.command(named: text) != nil {
          invocation.command = text
          invocation.isNamed = true
        } else {
          invocation.arguments.append(text)
        }
        isFirst = false
      }
    }
    if wantsVersion { return .version }
    if let help {
      return .help(command: invocation.isNamed ? invocation.command : nil, isLong: help)
    }
    if invocation.command == "help", !invocation.options.contains(where: { $0.name == "man" }) {
      return try helpCommand(invocation.arguments)
    }
    try check(invocation)
    return .run(invocation)
  }

  private func helpCommand(_ names: [String]) throws(UsageError) -> Reading {
    for name in names where table.command(named: name) == nil {
      throw unknownCommand(name)
    }
    return .help(command: names.first, isLong: true)
  }

  private func check(_ invocation: Invocation) throws(UsageError) {
    guard let command = table.command(named: invocation.command) else { return }
    for given in invocation.options where command.option(named: given.name) == nil {
      let owners = table.commands.filter { $0.option(named: given.name) != nil }.map(\.name)
      throw UsageError(
        "--\(given.name) is no option of \(command.name), but of \(owners.joined(separator: ", "))",
        command: command.name)
    }
    let given = invocation.arguments
    guard let argument = command.arguments.first else {
      guard let word = given.first else { return }
      throw UsageError(
        "\(command.name) takes no argument; '\(word)' is one too many", command: command.name)
    }
    if given.count < argument.count.lowerBound {
      throw UsageError(
        "\(command.name) needs \(argument.name): \(argument.help)", command: command.name)
    }
    if given.count > argument.count.upperBound {
      throw UsageError(
        "\(command.name) takes one \(argument.name); '\(given[argument.count.upperBound])' is one too many",
        command: command.name)
    }
  }

  /// The error for a word that is neither a command nor anything else.
  func unknownCommand(_ name: String) -> UsageError {
    let names = table.visibleCommands.map(\.name)
    let nearest = NearestName.of(name, among: names).map { "; did you mean '\($0)'?" }
    return UsageError(
      "there is no command '\(name)'"
        + (nearest ?? "; the commands are \(names.joined(separator: ", "))"))
  }
}

extension ArgumentReader {
  private func long(
    _ word: String, _ rest: inout ArraySlice<String>, command: String?
  ) throws(UsageError) -> Word {
    let parts = word.dropFirst(2).split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    let attached = parts.count == 2 ? String(parts[1]) : nil
    if name == "help" { return .help(isLong: true) }
    if name == "version" { return .version }
    guard let option = table.option(named: name) else { throw unknownOption("--\(name)", command) }
    switch option.kind {
    case .flag:
      let value = attached ?? "true"
      guard let isOn = Settings.truth(value) else {
        throw UsageError(
          "--\(name) is on or off: '\(value)' should be true or false", command: command)
      }
      return .option(Given(name: name, value: isOn ? "true" : "false"))
    case .value(let valueName):
      if let attached { return .option(Given(name: name, value: attached)) }
      return .option(
        Given(name: name, value: try next(&rest, "--\(name)", valueName, "--\(name)=", command)))
    }
  }

  private func short(
    _ word: String, _ rest: inout ArraySlice<String>, command: String?
  ) throws(UsageError) -> [Word] {
    var words: [Word] = []
    var letters = word.dropFirst()
    while let letter = letters.popFirst() {
      if letter == "h" {
        words.append(.help(isLong: false))
        continue
      }
      if letter == "V" {
        words.append(.version)
        continue
      }
      guard let option = option(letter: letter) else { throw unknownOption("-\(letter)", command) }
      switch option.kind {
      case .flag: words.append(.option(Given(name: option.name, value: "true")))
      case .value(let valueName):
        var value = String(letters)
        if value.isEmpty {
          value = try next(&rest, "-\(letter)", valueName, "--\(option.name)=", command)
        } else if value.hasPrefix("=") {
          value.removeFirst()
        }
        words.append(.option(Given(name: option.name, value: value)))
        return words
      }
    }
    return words
  }

  /// The next word as a value; one that is an option of ours is a value that was forgotten.
  private func next(
    _ rest: inout ArraySlice<String>, _ option: String, _ valueName: String, _ spelling: String,
    _ command: String?
  ) throws(UsageError) -> String {
    guard let value = rest.first else {
      throw UsageError("\(option) needs a value: \(valueName)", command: command)
    }
    if isOption(value) {
      throw UsageError(
        "\(option) needs a value: \(valueName); if '\(value)' is the value, write \(spelling)\(value)",
        command: command)
    }
    rest.removeFirst()
    return value
  }

  private func isOption(_ word: String) -> Bool {
    if word == "--" { return true }
    if word.hasPrefix("--") {
      let name = word.dropFirst(2).prefix { $0 != "=" }
      return ["help", "version"].contains(name) || table.option(named: String(name)) != nil
    }
    guard word.hasPrefix("-"), let letter = word.dropFirst().first else { return false }
    return word.count == 2 && ("hV".contains(letter) || option(letter: letter) != nil)
  }

  private func option(letter: Character) -> CommandOption? {
    table.allOptions.first { $0.letter == letter }
  }

  private func unknownOption(_ word: String, _ command: String?) -> UsageError {
    // An option of another command is nothing that somebody meant here.
    let own = command.flatMap { table.command(named: $0) }?.options ?? table.allOptions
    let names = own.map(\.name) + ["help", "version"]
    let nearest =
      word.hasPrefix("--") ? NearestName.of(String(word.dropFirst(2)), among: names) : nil
    return UsageError(
      "there is no option '\(word)'" + (nearest.map { "; did you mean '--\($0)'?" } ?? ""),
      command: command)
  }
}
