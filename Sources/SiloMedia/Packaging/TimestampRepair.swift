/// Keeps the decode times of one written track in order, changing as little as possible.
struct TimestampRepair: Hashable, Sendable {
  private var last: Int64?
  private let step: Int64

  /// A track without packets so far.
  ///
  /// - Parameter allowsEqual: Whether packets may share a moment. Those of TrueHD are shorter than a millisecond and
  ///   hundreds of styled lines may begin together: a tick for each of them would move the later ones away.
  init(allowsEqual: Bool = false) { step = allowsEqual ? 0 : 1 }

  /// How many ticks a decode time is before the last one; 0 for one that is in order.
  func lag(of decode: Int64?) -> Int64 {
    guard let last, let decode, decode < last else { return 0 }
    return last.subtractingReportingOverflow(decode).overflow ? .max : last - decode
  }

  /// The times to write of a packet, in ticks of the output; a missing one is filled in.
  ///
  /// A decode time that is not behind the last one becomes one tick later than it, or the same when that is allowed; a
  /// presentation time is never before its decode time.
  mutating func repaired(presentation: Int64?, decode: Int64?) -> (
    presentation: Int64, decode: Int64
  ) {
    var decode = decode ?? presentation ?? last.map { $0 &+ 1 } ?? 0
    if let last { decode = max(decode, last &+ step) }
    last = decode
    return (max(presentation ?? decode, decode), decode)
  }
}
