import Foundation

/// What is known about the terminal behind stderr.
struct Terminal: Sendable {
  /// Whether there is one.
  var isInteractive: Bool
  /// Whether colours may be used on it.
  var usesColor: Bool
  /// Its width in columns, asked each time because windows are resized.
  var width: @Sendable () -> Int

  /// A terminal of fixed width, or none.
  init(isInteractive: Bool, usesColor: Bool = false, width: Int = 80) {
    self.isInteractive = isInteractive
    self.usesColor = usesColor
    self.width = { width }
  }

  /// The terminal behind `descriptor`, as the environment wants it used.
  init(descriptor: Int32, environment: [String: String], color: DisplayOptions.Color) {
    isInteractive = isatty(descriptor) == 1 && environment["TERM"] != "dumb"
    usesColor = Self.usesColor(
      color, isInteractive: isInteractive, environment: environment)
    let columns = environment["COLUMNS"].flatMap { Int($0) }
    width = {
      var size = winsize()
      if ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 {
        return Int(size.ws_col)
      }
      return columns ?? 80
    }
  }

  /// Whether colours are used: `--color` wins, then `NO_COLOR`, then `CLICOLOR_FORCE`, then the terminal.
  static func usesColor(
    _ color: DisplayOptions.Color, isInteractive: Bool, environment: [String: String]
  ) -> Bool {
    switch color {
    case .always: return true
    case .never: return false
    case .auto:
      if let no = environment["NO_COLOR"], !no.isEmpty { return false }
      if let force = environment["CLICOLOR_FORCE"], !force.isEmpty, force != "0" { return true }
      return isInteractive
    }
  }

  /// `text` in the style, when colours are used.
  func styled(_ text: String, _ style: Style) -> String {
    usesColor ? "\u{1b}[\(style.rawValue)m\(text)\u{1b}[0m" : text
  }

  /// How text stands out.
  enum Style: String {
    /// A heading.
    case bold = "1"
    /// A failure.
    case red = "31"
    /// Something chosen or done.
    case green = "32"
    /// A warning.
    case yellow = "33"
  }
}
