/// The one constant by which every track is moved so that no decode time is negative.
enum SegmentShift {
  /// The shift in whole steps that every tick size can express exactly, so that the distance between tracks stays
  /// the file's to the sample; zero when nothing is negative.
  static func shift(for tracks: [PacketIndex]) -> Duration {
    let first = tracks.compactMap(\.firstDecodeTime).min() ?? .zero
    guard first < .zero else { return .zero }
    let steps: [Duration] = [.milliseconds(10), .milliseconds(40), .seconds(1)]
    for step in steps {
      let shift = step * Int((.zero - first) / step + 1)
      if tracks.allSatisfy({ $0.timeBase.holds(shift) }) { return shift }
    }
    return .seconds(Int((.zero - first) / .seconds(1) + 1))
  }
}

extension TimeBase {
  /// Whether `time` is a whole number of ticks.
  fileprivate func holds(_ time: Duration) -> Bool { duration(of: firstTick(at: time)) == time }
}
