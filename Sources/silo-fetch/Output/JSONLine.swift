import Foundation

/// One JSON object in one line.
enum JSONLine {
  /// `value` as JSON: keys sorted, slashes as they are, no line break.
  static func text(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
    guard let bytes = try? encoder.encode(value) else { return "{}" }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Seconds to the microsecond: what comes after is noise of the conversion.
  static func seconds(_ duration: Duration) -> Double {
    let parts = duration.components
    let seconds = Double(parts.seconds) + Double(parts.attoseconds) / 1e18
    return (seconds * 1e6).rounded() / 1e6
  }
}
