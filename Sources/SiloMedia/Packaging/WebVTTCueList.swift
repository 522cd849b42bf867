/// The cues of the segments of one rendition, joined.
public enum CueList {
  /// Two cues this close touch: segmenters round to a millisecond.
  private static let tolerance = Duration.milliseconds(1)

  private struct Key: Hashable {
    var text: String
    var settings: String?
  }

  private struct Exact: Hashable {
    var key: Key
    var start: Duration
    var end: Duration
  }

  /// The cues of consecutive segments, on one clock, as one list in order of their start.
  ///
  /// A cue that spans a segment edge stands in both segments, whole or cut at the edge (RFC 8216, 3.5): what has the
  /// same text and settings and touches the cue of another segment is one cue. Inside one segment only exact
  /// repetitions are dropped. Linear, and a sort.
  public static func joining(_ segments: [[WebVTTCue]]) -> [WebVTTCue] {
    var out: [WebVTTCue] = []
    var seen: Set<Exact> = []
    var last: [Key: (index: Int, segment: Int)] = [:]
    for (number, cues) in segments.enumerated() {
      for cue in cues {
        let key = Key(text: cue.text, settings: cue.settings)
        guard seen.insert(Exact(key: key, start: cue.start, end: cue.end)).inserted else {
          continue
        }
        if let (index, segment) = last[key] {
          let known = out[index]
          let touches =
            cue.start <= known.end + tolerance && known.start <= cue.end + tolerance
          if segment != number && touches {
            out[index].start = min(known.start, cue.start)
            out[index].end = max(known.end, cue.end)
            last[key] = (index, number)
            continue
          }
        }
        last[key] = (out.count, number)
        out.append(cue)
      }
    }
    // Sorting by position too keeps the order of cues that start together.
    return out.enumerated().sorted { a, b in
      (a.element.start, a.offset) < (b.element.start, b.offset)
    }.map(\.element)
  }
}
