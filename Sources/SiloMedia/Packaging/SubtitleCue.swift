/// One text on the screen, on the clock of the file.
struct SubtitleCue: Hashable, Sendable {
  var start: Duration
  var end: Duration
  /// The text as WebVTT has it.
  var text: String
  /// Where it stands, as WebVTT says it; `nil` below in the middle.
  var settings: String?

  /// How long a cue stays whose end the file does not tell.
  private static let usual: Duration = .seconds(4)

  /// The cues of a track, from its packets.
  static func cues(_ index: PacketIndex, payloads: [[UInt8]], codec: Codec) -> [SubtitleCue] {
    zip(index.packets, payloads).enumerated().compactMap { number, pair in
      let (packet, payload) = pair
      guard let (text, settings) = shown(payload, codec: codec), !text.isEmpty else { return nil }
      let start = index.timeBase.duration(of: packet.presentationTime)
      var end = start + index.timeBase.duration(of: Int64(packet.duration))
      if packet.duration <= 0 {
        end = start + usual
        if number + 1 < index.packets.count {
          let next = index.timeBase.duration(of: index.packets[number + 1].presentationTime)
          if next > start { end = min(end, next) }
        }
      }
      return end > .zero
        ? SubtitleCue(start: max(.zero, start), end: end, text: text, settings: settings) : nil
    }
  }

  /// The text of a packet as WebVTT has it, and where it stands; `nil` without a text.
  private static func shown(_ payload: [UInt8], codec: Codec) -> (String, String?)? {
    guard codec == "webvtt" else {
      return StyledText(payload, codec: codec).map { ($0.webVTT, $0.webVTTSettings) }
    }
    // What is WebVTT already stays; a blank line would end the cue, and an arrow would be taken for times.
    let lines = String(decoding: payload, as: UTF8.self).split(whereSeparator: \.isNewline)
      .map { String($0).replacing("-->", with: "→") }
    return (lines.filter { !$0.allSatisfy(\.isWhitespace) }.joined(separator: "\n"), nil)
  }
}

extension HLSSegmenter {
  /// Segment `number` of a subtitle track as WebVTT, whose clock is the file's and is mapped to the media's.
  ///
  /// A cue that lasts over a cut is in the segments on both sides. Throws `MediaError.notFound` when there is no such
  /// segment.
  public func subtitles(_ number: Int, of id: TrackID) throws -> String {
    guard let cues = cues[id],
      let segment = segments(of: id).first(where: { $0.number == number })
    else {
      throw MediaError(.notFound, "There are no subtitles \(number) of \(id).")
    }
    let (seconds, attoseconds) = shift.components
    let ticks = seconds * 90_000 + attoseconds / 1_000_000_000_000 * 90 / 1_000
    var text = "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:\(ticks)\n\n"
    let isLast = segment.number == segments(of: id).last?.number
    let end = segment.start + segment.duration
    for cue in cues where cue.end > segment.start && (cue.start < end || isLast) {
      // What starts before the first cut belongs to the first segment.
      let settings = cue.settings.map { " " + $0 } ?? ""
      text += "\(Self.clock(cue.start)) --> \(Self.clock(cue.end))\(settings)\n\(cue.text)\n\n"
    }
    return text
  }

  private static func clock(_ time: Duration) -> String {
    let (seconds, attoseconds) = time.components
    let milliseconds = attoseconds / 1_000_000_000_000_000
    func padded(_ number: Int64, _ width: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    let clock = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { padded($0, 2) }
    return clock.joined(separator: ":") + "." + padded(milliseconds, 3)
  }
}

extension SegmentPlan {
  /// A segment between every two cuts, for what may be empty.
  var everySegment: [Segment] {
    cuts.enumerated().map { number, start in
      let end = number + 1 < cuts.count ? cuts[number + 1] : end
      return Segment(
        number: number, start: start, duration: end - start, byteCount: 0, packets: 0..<0)
    }
  }
}
