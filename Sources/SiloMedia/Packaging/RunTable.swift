import SiloSystem

/// How the discontinuities of a presentation's renditions make common runs.
///
/// A run also starts where the clock jumps although no tag says so.
struct RunTable: Hashable {
  /// One run.
  struct Run: Hashable {
    /// The discontinuity number; runs without a tag between them share one.
    var number: Int
    /// The playlist time at which it starts.
    var start: Duration
    /// The raw 90 kHz time less the playlist's, at its start; `nil` when unknown.
    var offset: Int64?
  }

  /// The runs in order; never empty.
  private(set) var runs: [Run]

  /// A clock that stands this much before the segment before it has jumped backwards.
  private static let backwards = Duration.milliseconds(500)
  /// A clock that is this much, and three segments, ahead of the playlist has jumped forwards.
  private static let forwards = Duration.seconds(10)

  /// The runs of the rendition that leads, the one with pictures.
  ///
  /// `times` are the raw 90 kHz times at which its segments start, where they are known.
  init(leader: [RenditionInput.Segment], times: [Int64?] = []) {
    runs = []
    var last: (segment: RenditionInput.Segment, time: Int64)?
    for (index, segment) in leader.enumerated() {
      let raw = times.indices.contains(index) ? times[index] : nil
      let isNew = runs.last?.number != segment.discontinuity
      if isNew { last = nil }
      let time = raw.map { raw in
        last.map { ClockFold.unfolded(raw, near: Self.expected(segment, after: $0)) } ?? raw
      }
      let isJump =
        if let last, let time { Self.isJump(to: time, segment, after: last) } else { false }
      if isNew || isJump {
        let offset = time.map { $0 - Self.ticks(segment.start) }
        runs.append(Run(number: segment.discontinuity, start: segment.start, offset: offset))
      }
      if let time { last = (segment, time) }
    }
    if runs.isEmpty { runs = [Run(number: 0, start: .zero)] }
  }

  private static func expected(
    _ segment: RenditionInput.Segment, after last: (segment: RenditionInput.Segment, time: Int64)
  ) -> Int64 {
    last.time &+ ticks(segment.start - last.segment.start)
  }

  /// Playlists round and guess lengths, so only what no rounding explains is a jump; a clock that stands still at the next
  /// segment is none that is rounded.
  private static func isJump(
    to time: Int64, _ segment: RenditionInput.Segment,
    after last: (segment: RenditionInput.Segment, time: Int64)
  ) -> Bool {
    if time < last.time - ticks(backwards) || time == last.time { return true }
    let limit = max(forwards, last.segment.duration * 3)
    return time > expected(segment, after: last) + ticks(limit)
  }

  private static func ticks(_ time: Duration) -> Int64 {
    TimeBase(1, 90_000).ticks(ofNanoseconds: time.nanoseconds)
  }

  /// The run of each segment of a rendition.
  ///
  /// By its number where the rendition has the same numbers, then by its middle's time, then by its clock: at the edge of
  /// a run without a tag, the clock tells more than the time does.
  func assignment(of segments: [RenditionInput.Segment], times: [Int64?] = []) -> [Int] {
    let numbers = Set(segments.map(\.discontinuity))
    let known = Set(runs.map(\.number))
    let isSame = numbers.isSubset(of: known) && (numbers.count == known.count || numbers.count > 1)
    return segments.enumerated().map { index, segment in
      let middle = segment.start + segment.duration / 2
      let candidates = runs.indices.filter {
        !isSame || runs[$0].number == segment.discontinuity
      }
      let run = candidates.last { runs[$0].start <= middle } ?? candidates.first ?? 0
      guard times.indices.contains(index), let time = times[index] else { return run }
      let near = runs.indices.filter {
        abs($0 - run) == 1 && runs[$0].number == runs[run].number
          && isEdge(between: run, and: $0, near: segment)
      }
      return byClock([run] + near, offset: time - Self.ticks(segment.start))
    }
  }

  /// Whether a segment lies so near to the edge between two runs that lengths of segments do not tell its run.
  private func isEdge(between a: Int, and b: Int, near segment: RenditionInput.Segment) -> Bool {
    let edge = runs[max(a, b)].start
    let limit = segment.duration + .seconds(2)
    return edge > segment.start - limit && edge < segment.start + segment.duration + limit
  }

  /// The run on whose clock a segment lies; the first unless another one fits clearly better.
  private func byClock(_ candidates: [Int], offset: Int64) -> Int {
    var best = candidates[0]
    guard let own = runs[best].offset else { return best }
    var distance = Self.distance(offset, own) - Self.ticks(Self.backwards)
    for run in candidates.dropFirst() {
      guard let other = runs[run].offset, Self.distance(offset, other) < distance else { continue }
      best = run
      distance = Self.distance(offset, other)
    }
    return best
  }

  private static func distance(_ a: Int64, _ b: Int64) -> Int64 {
    abs(ClockFold.unfolded(a, near: b) - b)
  }
}
