/// A text and when it is shown, ready to be written.
struct TextCue: Hashable, Sendable {
  /// When it appears.
  var start: Duration
  /// When it goes.
  var end: Duration
  /// What is shown.
  var text: StyledText

  /// A text from `start` to `end`.
  init(start: Duration, end: Duration, text: StyledText) {
    self.start = start
    self.end = end
    self.text = text
  }

  /// A cue with its markup read.
  init(_ cue: WebVTTCue) {
    self.init(start: cue.start, end: cue.end, text: cue.styled)
  }

  /// The same texts without overlaps, as a text track of an MP4 needs it: what is shown together is one text.
  ///
  /// `cues` are in order of their start.
  static func flattened(_ cues: [TextCue]) -> [TextCue] {
    var out: [TextCue] = []
    var active: [TextCue] = []
    var now = Duration.zero
    func show(until time: Duration) {
      while now < time, !active.isEmpty {
        let next = min(time, active.map(\.end).min() ?? time)
        if next > now {
          out.append(
            TextCue(start: now, end: next, text: StyledText(joining: active.map(\.text))))
        }
        now = max(now, next)
        active.removeAll { $0.end <= now }
      }
      now = max(now, time)
    }
    for cue in cues where !cue.text.isEmpty && cue.end > cue.start {
      show(until: cue.start)
      active.append(cue)
    }
    show(until: active.map(\.end).max() ?? now)
    return out
  }
}
