import CFFmpeg

/// How long a tick is, in seconds, as a fraction.
package struct TimeBase: Hashable, Sendable {
  /// Above the line.
  package var numerator: Int32
  /// Below the line; never 0.
  package var denominator: Int32

  /// Ticks of `numerator`/`denominator` seconds.
  package init(_ numerator: Int32, _ denominator: Int32) {
    self.numerator = numerator
    self.denominator = denominator == 0 ? 1 : denominator
  }

  /// Ticks of libav's fraction.
  init(_ rational: AVRational) { self.init(rational.num, rational.den) }

  /// The fraction as libav takes it.
  var rational: AVRational { silo_rational(numerator, denominator) }

  /// How long `ticks` are, to the attosecond.
  package func duration(of ticks: Int64) -> Duration {
    let attoseconds = Int128(1_000_000_000_000_000_000)
    let product = Int128(ticks) * Int128(numerator)
    let (whole, rest) = product.quotientAndRemainder(dividingBy: Int128(denominator))
    let seconds = Int64(clamping: whole)
    let fraction = rest * attoseconds / Int128(denominator)
    return Duration(secondsComponent: seconds, attosecondsComponent: Int64(clamping: fraction))
  }
}
