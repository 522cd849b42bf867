/// Maps raw timestamps to the time of the written file, with one constant for all tracks of a run.
///
/// A run is what lies between two discontinuities. Inside a run the raw offsets between tracks stay as they are;
/// the next run begins where the last one ended, by its pictures where there are any. Times are in nanoseconds.
struct Timeline: Hashable, Sendable {
  /// What is added to raw times of the current run.
  private(set) var shift: Int64 = 0
  private var runCount = 0
  private var videoEnd: Int64?
  private var otherEnd: Int64?
  private var runVideoEnd: Int64?
  private var runOtherEnd: Int64?

  /// The first raw times of the tracks of a run.
  struct RunStart: Hashable, Sendable {
    /// The earliest of pictures; `nil` when the run has none.
    var video: Int64?
    /// The earliest of everything else; `nil` when there is nothing else.
    var other: Int64?
    /// What the playlist says: the time from the start of the presentation, for a run after one without packets.
    var planned: Int64
  }

  /// Where the packets so far end.
  var end: Int64 { max(videoEnd ?? 0, otherEnd ?? 0) }

  /// Begins a run.
  ///
  /// The origin of the file is the earliest time of the first run, but not before `earliestOrigin`.
  mutating func beginRun(_ start: RunStart, earliestOrigin: Int64 = .min) {
    let first = [start.video, start.other].compactMap { $0 }.min() ?? 0
    if runCount == 0 || (runVideoEnd == nil && runOtherEnd == nil) {
      shift =
        (runCount == 0 ? 0 : max(end, start.planned))
        - (runCount == 0 ? max(first, earliestOrigin) : first)
    } else if let video = start.video {
      shift = (runVideoEnd ?? end) - video
    } else {
      shift = end - first
    }
    runCount += 1
    runVideoEnd = nil
    runOtherEnd = nil
  }

  /// Notes that a packet was mapped to end at `time` in the file.
  mutating func note(end time: Int64, isVideo: Bool) {
    if isVideo {
      runVideoEnd = max(runVideoEnd ?? time, time)
      videoEnd = max(videoEnd ?? time, time)
    } else {
      runOtherEnd = max(runOtherEnd ?? time, time)
      otherEnd = max(otherEnd ?? time, time)
    }
  }

  /// The time in the file of a raw time of the current run.
  func time(ofRaw raw: Int64) -> Int64 { raw &+ shift }
}
