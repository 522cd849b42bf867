/// Joins the texts of one track as they come, in order of their start, into texts that do not overlap.
struct TextJoint {
  private var active: [TextCue] = []
  private var now: Duration?

  /// How long after its end a text waits for others that were stored behind it.
  private static let patience = Duration.seconds(10)
  /// The most texts that are shown together; above it the first of them goes.
  private static let activeLimit = 64

  /// Nothing is shown before `start`; `nil` begins with the first text.
  init(from start: Duration? = nil) { now = start }

  /// Takes the next text, and gives what is settled by its start.
  mutating func add(_ cue: TextCue) -> [TextCue] {
    guard !cue.text.isEmpty, cue.end > cue.start else { return [] }
    let settled = show(until: cue.start)
    if active.count == Self.activeLimit { active.removeFirst() }
    active.append(cue)
    return settled
  }

  /// What is settled because the media has come to `time`.
  mutating func pass(_ time: Duration) -> [TextCue] {
    guard let last = active.map(\.end).max(), time > last + Self.patience else { return [] }
    return end()
  }

  /// All that is left.
  mutating func end() -> [TextCue] {
    active.map(\.end).max().map { show(until: $0) } ?? []
  }

  private mutating func show(until time: Duration) -> [TextCue] {
    var out: [TextCue] = []
    var moment = now ?? time
    while moment < time, !active.isEmpty {
      let next = min(time, active.map(\.end).min() ?? time)
      if next > moment {
        out.append(
          TextCue(start: moment, end: next, text: StyledText(joining: active.map(\.text))))
      }
      moment = max(moment, next)
      active.removeAll { $0.end <= moment }
    }
    now = max(moment, time)
    return out
  }
}
