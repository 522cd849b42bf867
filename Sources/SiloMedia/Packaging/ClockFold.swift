/// A clock that starts again after 33 bits: MPEG-TS, the ID3 tag of packed audio, the map of WebVTT (ISO/IEC 13818-1, 2.4.3.6).
enum ClockFold {
  /// The ticks, of 1/90000 s, after which the clock starts again: 26.5 hours.
  static let period: Int64 = 1 << 33

  /// The value that is `raw` plus a multiple of the period and lies nearest to `reference`.
  static func unfolded(_ raw: Int64, near reference: Int64) -> Int64 {
    let (distance, overflow) = reference.subtractingReportingOverflow(raw)
    guard !overflow else { return raw }
    // Rounded to the nearest multiple, downwards for negative distances too.
    let turns = (distance &+ period / 2) >> 33
    return raw &+ turns &* period
  }
}
