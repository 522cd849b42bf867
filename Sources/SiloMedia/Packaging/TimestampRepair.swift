/// Keeps the decode times of one written track in order, changing as little as possible.
struct TimestampRepair: Hashable, Sendable {
  private var last: Int64?

  /// A track without packets so far.
  init() {}

  /// How many ticks a decode time is before the last one; 0 for one that is in order.
  func lag(of decode: Int64?) -> Int64 {
    guard let last, let decode, decode < last else { return 0 }
    return last.subtractingReportingOverflow(decode).overflow ? .max : last - decode
  }

  /// The times to write of a packet, in ticks of the output; a missing one is filled in.
  ///
  /// A decode time that is not behind the last one becomes one tick later than it; a presentation time is never before
  /// its decode time.
  mutating func repaired(presentation: Int64?, decode: Int64?) -> (
    presentation: Int64, decode: Int64
  ) {
    var decode = decode ?? presentation ?? last.map { $0 &+ 1 } ?? 0
    if let last, decode <= last { decode = last &+ 1 }
    last = decode
    return (max(presentation ?? decode, decode), decode)
  }
}
