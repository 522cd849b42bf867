import SiloSystem

/// What holds for each option of one command: from the option itself, else the environment, else the configuration
/// file; what is in none of them is left to the default.
struct Settings: Equatable, Sendable {
  /// Where a value was said.
  enum Origin: Equatable, Sendable, CustomStringConvertible {
    /// On the command line.
    case option(String)
    /// In an environment variable.
    case environment(String)
    /// In the configuration file.
    case file(path: String, line: Int, key: String)

    /// As messages name it.
    var description: String {
      switch self {
      case .option(let name): "--\(name)"
      case .environment(let name): name
      case .file(let path, let line, let key): "\(path):\(line): \(key)"
      }
    }
  }

  /// A value and where it was said.
  struct Value: Equatable, Sendable {
    /// The text.
    var text: String
    /// Where it was said.
    var origin: Origin
  }

  private(set) var values: [String: [Value]] = [:]
  private var home: String?

  /// What holds for `command`.
  init(
    command: Command, given: [ArgumentReader.Given], environment: [String: String],
    file: ConfigFile?
  ) {
    home = environment["HOME"]
    for option in command.options {
      var found = given.filter { $0.name == option.name }
        .map { Value(text: $0.value, origin: .option(option.name)) }
      if found.isEmpty, let text = environment[option.environmentName], !text.isEmpty {
        let texts = option.repeats ? text.split(separator: "\n").map(String.init) : [text]
        found = texts.map { Value(text: $0, origin: .environment(option.environmentName)) }
      }
      if found.isEmpty, let file {
        found = file.entries.filter { $0.key == option.name }.map {
          Value(
            text: $0.value, origin: .file(path: file.path, line: $0.line, key: $0.key))
        }
      }
      if let last = found.last { values[option.name] = option.repeats ? found : [last] }
    }
  }

  /// The value of an option that is given once.
  subscript(name: String) -> Value? { values[name]?.last }

  /// Whether the flag `name` is on.
  func isOn(_ name: String) throws(UsageError) -> Bool {
    guard let value = self[name] else { return false }
    guard let isOn = Self.truth(value.text) else {
      throw Self.error(value, "should be true or false")
    }
    return isOn
  }

  /// The text of `name`, or `nil` when nobody said it.
  func text(_ name: String) -> String? { self[name]?.text }

  /// The path `name`; an empty one is an error, for it would mean another place.
  func path(_ name: String) throws(UsageError) -> String? {
    let home = home
    return try value(name, should: "a path") {
      $0.isEmpty ? nil : Self.expanded($0, home: home)
    }
  }

  /// A path with `~/` as the shell would write it out; no shell has seen `--output=~/Films`, a variable or the file.
  static func expanded(_ path: String, home: String?) -> String {
    guard path.hasPrefix("~/"), let home, home.hasPrefix("/") else { return path }
    return home + path.dropFirst()
  }

  /// The whole number `name`.
  func integer(_ name: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
    guard let value = self[name] else { return nil }
    guard let number = Int(value.text), range.contains(number) else {
      let limit =
        range.upperBound == .max
        ? "of at least \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
      throw Self.error(value, "should be a whole number \(limit)")
    }
    return number
  }

  /// What `read` makes of the value of `name`; `nil` from `read` is an error that says what it should be.
  func value<Result>(
    _ name: String, should: String, _ read: (String) -> Result?
  ) throws(UsageError) -> Result? {
    guard let value = self[name] else { return nil }
    guard let result = read(value.text) else { throw Self.error(value, "should be \(should)") }
    return result
  }

  /// The error for a value that cannot be used.
  static func error(_ value: Value, _ what: String) -> UsageError {
    let isFile = if case .file = value.origin { true } else { false }
    return UsageError(
      "\(value.origin): '\(Redaction.cut(value.text, to: 200))' \(what)",
      exitCode: isFile ? .config : .usage)
  }

  /// An error whose reason names the word already.
  static func failure(_ value: Value, _ reason: String) -> UsageError {
    let isFile = if case .file = value.origin { true } else { false }
    return UsageError("\(value.origin): \(reason)", exitCode: isFile ? .config : .usage)
  }

  /// What a person writes for on and off.
  static func truth(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "true", "yes", "on", "1": true
    case "false", "no", "off", "0": false
    default: nil
    }
  }
}
