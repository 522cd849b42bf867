import SiloSystem

/// The configuration file: `key = value` lines, `#` comments; a key is an option's long name.
struct ConfigFile: Equatable, Sendable {
  /// One setting of the file.
  struct Entry: Equatable, Sendable {
    /// The option's long name.
    var key: String
    /// The value.
    var value: String
    /// The line in the file, from 1.
    var line: Int
  }

  /// The path, for messages.
  var path: String
  /// The settings in the order of the file.
  var entries: [Entry] = []
  /// What the user should be told: keys that are no options.
  var warnings: [String] = []

  /// Where the file is, from the environment; `nil` without a home.
  static func path(in environment: [String: String]) -> String? {
    if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") {
      return folder + "/silo-fetch/config"
    }
    guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
    return home + "/.config/silo-fetch/config"
  }

  /// Reads the text of the file at `path`, keys checked against `table`.
  init(path: String, text: String, table: CommandTable) throws(UsageError) {
    self.path = path
    let known = table.allOptions.map(\.name)
    let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
    for (index, raw) in lines.enumerated() {
      let line = Self.trimmed(raw)
      if line.isEmpty || line.hasPrefix("#") { continue }
      guard let equals = line.firstIndex(of: "=") else {
        throw UsageError(
          "\(path):\(index + 1): '\(Redaction.cut(line, to: 200))' should be 'key = value'",
          exitCode: .config)
      }
      let key = Self.trimmed(line[..<equals]).map { $0 == "_" ? "-" : String($0) }.joined()
      let value = Self.unquoted(Self.trimmed(line[line.index(after: equals)...]))
      guard known.contains(key) else {
        let nearest = NearestName.of(key, among: known).map { "; did you mean '\($0)'?" } ?? ""
        warnings.append(
          "\(path):\(index + 1): there is no key '\(Redaction.cut(key, to: 200))'\(nearest)")
        continue
      }
      entries.append(Entry(key: key, value: value, line: index + 1))
    }
  }

  private static func trimmed(_ text: some StringProtocol) -> String {
    let inner = text.drop { $0.isWhitespace }
    guard let last = inner.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(inner[...last])
  }

  /// Quotes around a value keep blanks at its ends; they are not part of it.
  private static func unquoted(_ text: String) -> String {
    guard text.count >= 2, let quote = text.first, quote == text.last, "\"'".contains(quote) else {
      return text
    }
    return String(text.dropFirst().dropLast())
  }
}
