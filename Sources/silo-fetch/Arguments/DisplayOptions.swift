/// What is printed, and how.
struct DisplayOptions: Sendable, Equatable {
  /// JSON on stdout.
  var isJSON = false
  /// Only errors.
  var isQuiet = false
  /// Reasons too.
  var isVerbose = false
  /// Progress lines.
  var showsProgress = true
  /// Colours.
  var color = Color.auto

  /// When colours are used.
  enum Color: String, Sendable, CaseIterable {
    /// On a terminal.
    case auto
    /// Always.
    case always
    /// Never.
    case never
  }

  /// Reads the display settings of any command.
  init(_ settings: Settings) throws(UsageError) {
    isJSON = try settings.isOn("json")
    isQuiet = try settings.isOn("quiet")
    isVerbose = try settings.isOn("verbose")
    showsProgress = try !settings.isOn("no-progress")
    color =
      try settings.value("color", should: "auto, always or never") {
        Color(rawValue: $0.lowercased())
      } ?? .auto
  }

  /// The defaults.
  init() {}
}
