/// Keeps the decode times of one written track in order, changing as little as possible.
struct TimestampRepair: Hashable, Sendable {
  private var last: Int64?

  /// A track without packets so far.
  init() {}

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
