/// Times and rates as people read them.
enum ClockText {
  /// `1:02:03`, `0:24`; whole seconds.
  static func text(_ duration: Duration) -> String {
    let seconds = max(0, duration.components.seconds)
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60)
    let tail = (rest < 10 ? "0" : "") + "\(rest)"
    if hours == 0 { return "\(minutes):\(tail)" }
    return "\(hours):" + (minutes < 10 ? "0" : "") + "\(minutes):\(tail)"
  }

  /// At most three decimals, none when there are none: `25`, `23.976`.
  static func decimal(_ value: Double) -> String {
    let rounded = (value * 1000).rounded() / 1000
    return rounded == rounded.rounded() && abs(rounded) < 1e9 ? "\(Int(rounded))" : "\(rounded)"
  }
}
