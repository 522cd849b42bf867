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
    var joint = TextJoint(from: .zero)
    return cues.flatMap { joint.add($0) } + joint.end()
  }

  /// The packet of a track that shows it, `shift` nanoseconds earlier.
  func packet(of track: Int, as codec: OutputStream.TextCodec, shift: Int64 = 0) throws
    -> HeldPacket
  {
    let packet = try PacketBuffer()
    try packet.replacePayload(codec.payload(of: text))
    packet.markKey()
    packet.presentationTime = start.nanoseconds - shift
    packet.decodeTime = packet.presentationTime
    packet.duration = (end - start).nanoseconds
    return HeldPacket(packet, track: track, timeBase: TimeBase(1, 1_000_000_000))
  }
}
