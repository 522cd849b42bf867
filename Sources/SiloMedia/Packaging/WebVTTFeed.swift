/// Feeds cues of a WebVTT rendition, on the clock of the media.
final class WebVTTFeed: PackageFeed {
  let tracks: [Int]
  private let track: Int
  private let target: OutputStream.TextCodec
  private let reader: SpoolReader
  private let byteCount: Int64
  private let segmentsOfRun: [Int: [RenditionInput.Segment]]
  private var run = 0
  private var shift: Int64 = 0
  private var samples: [TextCue] = []
  private var index = 0
  private var held: HeldPacket?
  private var losses: Set<StyledText.Loss> = []

  /// Waits until all of the text is there: the cues of a run are placed together.
  init(_ reader: SpoolReader, track: Int, runs: RunTable, container: OutputContainer) throws {
    tracks = [track]
    self.track = track
    target = container == .mp4 ? .movText : .subRip
    self.reader = reader
    let segments = reader.input.segments
    byteCount = try segments.reduce(0) { $0 + Int64(try reader.range(of: $1.part).count) }
    segmentsOfRun = Dictionary(
      zip(runs.assignment(of: segments), segments.map { [$0] }), uniquingKeysWith: +)
  }

  func expected(of track: Int) -> (packets: ExpectedPackets, inputByteCount: Int64) {
    (ExpectedPackets(textByteCount: byteCount), byteCount)
  }

  var textLosses: [Int: Set<StyledText.Loss>] { [track: losses] }
  func beginRun(_ run: Int, clock: inout RunClock) { self.run = run }
  func runStart() -> Timeline.RunStart { Timeline.RunStart(planned: 0) }

  func map(_ timeline: Timeline, clock: RunClock) throws {
    shift = timeline.shift
    index = 0
    held = nil
    let segments = try (segmentsOfRun[run] ?? []).map { segment in
      let document = try WebVTTDocument.parse(reader.bytes(of: segment.part))
      let offset = Self.offset(
        of: document.timestampMap, expected: clock.expected(at: segment.start), shift: shift)
      return document.cues.map { cue in
        var cue = cue
        cue.start += offset
        cue.end += offset
        return cue
      }
    }
    let cues = CueList.joining(segments).filter { $0.end > .zero }
    samples = cues.map { TextCue($0) }
    if target == .movText { samples = TextCue.flattened(samples) }
    samples.removeAll { $0.text.isEmpty }
    for sample in samples { losses.formUnion(target.losses(of: sample.text)) }
  }

  /// What is added to the times of cues: the clock of the media by the map; without one, cue time 0 is the start.
  static func offset(of map: WebVTTDocument.TimestampMap?, expected: Int64?, shift: Int64)
    -> Duration
  {
    guard let map else { return .zero }
    let ticks = expected.map { ClockFold.unfolded(map.mpegTS, near: $0) } ?? map.mpegTS
    let raw = TimeBase(1, 90_000).nanoseconds(of: ticks)
    return .nanoseconds(raw &+ shift) - map.local
  }

  func peek() throws -> HeldPacket? {
    if let held { return held }
    guard index < samples.count else { return nil }
    var sample = samples[index]
    sample.start = max(.zero, sample.start)
    let made = try sample.packet(of: track, as: target, shift: shift)
    held = made
    return made
  }

  func drop() {
    held = nil
    index += 1
  }
}
