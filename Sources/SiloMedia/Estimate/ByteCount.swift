/// Sizes as people write and read them.
package enum ByteCount {
  /// "1.5 MiB": three significant digits at most above a KiB, whole bytes below.
  package static func text(_ byteCount: Int64) -> String {
    let magnitude = byteCount.magnitude
    guard magnitude >= 1024 else { return "\(byteCount) B" }
    let units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]
    var value = Double(magnitude) / 1024
    var unit = 0
    // 1023.96 would be printed as 1024.0 of the smaller unit.
    while value >= 1023.95, unit + 1 < units.count {
      value /= 1024
      unit += 1
    }
    let tenths = Int((value * 10).rounded())
    let sign = byteCount < 0 ? "-" : ""
    return value >= 99.95
      ? "\(sign)\(Int(value.rounded())) \(units[unit])"
      : "\(sign)\(tenths / 10).\(tenths % 10) \(units[unit])"
  }

  /// Reads "4G", "700M", "1.5GB", "123456": K, M, G, T are 1024-based (KiB too), KB, MB, GB, TB 1000-based.
  ///
  /// `nil` when it is not a size, is negative, or does not fit.
  package static func parse(_ text: String) -> Int64? {
    let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard number.contains(where: \.isNumber), let factor = factor(of: text[number.endIndex...])
    else { return nil }
    if let whole = Int64(number) {
      let (product, overflow) = whole.multipliedReportingOverflow(by: factor)
      return overflow ? nil : product
    }
    guard let value = Double(number) else { return nil }
    let product = (value * Double(factor)).rounded()
    return Int64(exactly: product)
  }

  private static func factor(of suffix: Substring) -> Int64? {
    let unit = suffix.drop { $0 == " " }.uppercased()
    if unit.isEmpty || unit == "B" { return 1 }
    guard let power = ["K", "M", "G", "T"].firstIndex(of: String(unit.prefix(1))) else {
      return nil
    }
    let base: Int64
    switch unit.dropFirst() {
    case "", "IB": base = 1024
    case "B": base = 1000
    default: return nil
    }
    return (0...power).reduce(1) { product, _ in product * base }
  }
}
